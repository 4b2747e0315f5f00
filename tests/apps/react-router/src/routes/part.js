import data from "../data.json";

export const loader = ({ params, request }) => {
  const offset = Number(new URL(request.url).searchParams.get("offset"));
  return Response.json(data[params.kind].slice(offset, offset + 12));
};
