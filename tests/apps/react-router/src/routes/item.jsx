import data from "../data.json";

export const meta = ({ data: item }) => [{ title: item?.name }];
export const loader = ({ params }) => {
  const item = data[params.kind]?.find(({ slug }) => slug === params.slug);
  if (!item) throw new Response("Not found", { status: 404 });
  return item;
};

export default function Item({ loaderData: { name, text } }) {
  return (
    <>
      <h1>{name}</h1>
      <p>{text}</p>
    </>
  );
}
