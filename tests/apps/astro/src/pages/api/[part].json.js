import data from "../../data.json";

const parts = (kind) => Array.from({ length: Math.ceil(data[kind].length / 12) }, (_, i) => `${kind}-${i + 1}`);
export const getStaticPaths = () => Object.keys(data).flatMap(parts).map((part) => ({ params: { part } }));
export const GET = ({ params }) => {
  const [kind, number] = params.part.split("-");
  return new Response(JSON.stringify(data[kind].slice(12 * (number - 1), 12 * number)));
};
