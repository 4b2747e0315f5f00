import data from "../../../data.json";

export async function GET(request, { params }) {
  const offset = Number(new URL(request.url).searchParams.get("offset"));
  return Response.json(data[(await params).kind].slice(offset, offset + 12));
}
