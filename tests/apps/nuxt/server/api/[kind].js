import data from "../../src/data.json";

export default defineEventHandler((event) => {
  const { offset = 0, limit = 12 } = getQuery(event);
  const items = data[getRouterParam(event, "kind")] ?? [];
  return { items: items.slice(Number(offset), Number(offset) + Number(limit)), total: items.length };
});
