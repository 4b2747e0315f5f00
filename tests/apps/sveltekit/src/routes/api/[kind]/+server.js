import { json } from "@sveltejs/kit";
import data from "../../../data.json";

export const GET = ({ params, url }) => {
  const offset = Number(url.searchParams.get("offset"));
  return json(data[params.kind].slice(offset, offset + 12));
};
