// The files of the build, the data, and the application for every other path, as its servers do.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";

const data = JSON.parse(await readFile("src/data.json"));
const types = { js: "text/javascript", html: "text/html; charset=utf-8" };

const send = (response, status, type, body) => {
  response.writeHead(status, { "content-type": type });
  response.end(body);
};

createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, "http://shop");
  const [, kind] = pathname.match(/^\/api\/(\w+)$/) ?? [];
  if (data[kind]) {
    const [offset, limit] = ["offset", "limit"].map((name) => Number(searchParams.get(name)));
    const items = data[kind].slice(offset, offset + limit);
    send(response, 200, "application/json", JSON.stringify({ items, total: data[kind].length }));
  } else if (/^\/[\w-]+\.\w+$/.test(pathname)) {
    const body = await readFile(`dist/browser${pathname}`).catch(() => null);
    send(response, body ? 200 : 404, types[pathname.split(".").at(-1)] ?? "text/plain", body ?? "");
  } else {
    send(response, 200, types.html, await readFile("dist/browser/index.html"));
  }
}).listen(Number(process.env.PORT), process.env.HOST);
