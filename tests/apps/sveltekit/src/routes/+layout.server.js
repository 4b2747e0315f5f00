import { error } from "@sveltejs/kit";
import data from "../data.json";

export const load = ({ params, url }) => {
  const items = data[params.kind ?? url.pathname.slice(1)] ?? [];
  if (!params.slug) return { items: url.pathname === "/makers" ? items : items.slice(0, 12), total: items.length };
  return { item: items.find(({ slug }) => slug === params.slug) ?? error(404) };
};
