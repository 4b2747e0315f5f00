import data from "../../../data.json";

export const generateStaticParams = () =>
  Object.entries(data).flatMap(([kind, items]) => items.map(({ slug }) => ({ kind, slug })));
export const dynamicParams = false;

export default async function Page({ params }) {
  const { kind, slug } = await params;
  const { name, text } = data[kind].find((each) => each.slug === slug);
  return <><h1>{name}</h1><p>{text}</p></>;
}
