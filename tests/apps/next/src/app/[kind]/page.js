import data from "../../data.json";
import { Chairs, Lamps, Makers } from "./lists";

export const generateStaticParams = () => Object.keys(data).map((kind) => ({ kind }));
export const dynamicParams = false;

export default async function Page({ params }) {
  const { kind } = await params;
  const List = { lamps: Lamps, chairs: Chairs, makers: Makers }[kind];
  const first = kind === "makers" ? data.makers : data[kind].slice(0, 12);
  return <><h1>{kind}</h1><List first={first} total={data[kind].length} /></>;
}
