// A site that React streams: node server.js DIRECTORY-OF-NODE_MODULES; prints its port.
const http = require("http");

const load = (name) => require(require.resolve(name, { paths: [process.argv[2]] }));
const React = load("react");
const { renderToPipeableStream } = load("react-dom/server");

const h = React.createElement;
const items = ["1", "2", "3", "4", "5", "6"];
let requests = 0;
const promises = new Map();

// Suspends for some milliseconds, in React 18 and 19 alike.
const Late = ({ id, ms, children, fails }) => {
  if (!promises.has(id)) {
    const entry = {};
    entry.promise = new Promise((resolve) => setTimeout(resolve, ms)).then(() => {
      entry.isDone = true;
    });
    promises.set(id, entry);
  }
  if (!promises.get(id).isDone) throw promises.get(id).promise;
  if (fails) throw new Error("no such thing");
  return children;
};

const part = (id, ms, fallback, content, fails) =>
  h(React.Suspense, { fallback }, h(Late, { id: `${requests}${id}`, ms, fails }, content));

const loading = (what) => h("p", null, `Loading ${what} ...`);

const link = (href) => h("a", { key: href, href }, href);

const reviews = (name) =>
  part("b", 60, loading("reviews"), h("section", null, "Reviews of ", name, link(`/reviews/${name}`)));

const rows = () =>
  part("c", 90, h("tr", null, h("td", null, "Loading rows")), h("tr", null, h("td", null, link("/row"))));

const main = (path, name) =>
  part(
    "a",
    30,
    loading("main"),
    h(
      "main",
      null,
      h("link", { rel: "canonical", href: path }),
      h("h1", null, "All about ", name),
      items.map((item) => link(`/items/${item}`)),
      reviews(name || "all"),
      h("table", null, h("tbody", null, rows())),
    ),
  );

const page = (path, name) =>
  h(
    "html",
    { lang: "en" },
    h("head", null, h("title", null, `Item ${name}`)),
    h(
      "body",
      null,
      h("header", null, link("/")),
      main(path, name),
      path === "/broken" && part("d", 30, loading("the broken"), null, true),
      h("footer", null, "The end"),
    ),
  );

http
  .createServer((request, response) => {
    requests += 1;
    const path = request.url;
    if (path === "/client.js") {
      response.setHeader("Content-Type", "text/javascript");
      response.end("window.isHere = true;");
    } else if (/^\/(broken|row|items\/\d|reviews\/\w+)?$/.test(path)) {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      const { pipe } = renderToPipeableStream(page(path, path.split("/")[2] || ""), {
        bootstrapScripts: ["/client.js"],
        onShellReady: () => pipe(response),
        onError() {},
      });
    } else {
      response.statusCode = 404;
      response.end("not here");
    }
  })
  .listen(0, "127.0.0.1", function () {
    console.log(this.address().port);
  });
