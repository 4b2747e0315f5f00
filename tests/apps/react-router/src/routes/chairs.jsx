import { useState } from "react";
import { Link } from "react-router";
import data from "../data.json";

export const meta = () => [{ title: "Chairs" }];
export const loader = () => ({ first: data.chairs.slice(0, 12), total: data.chairs.length });

export default function Chairs({ loaderData: { first, total } }) {
  const [items, setItems] = useState(first);
  const more = async () => {
    const answer = await fetch(`/api/chairs?offset=${items.length}`);
    setItems([...items, ...(await answer.json())]);
  };
  return (
    <>
      <h1>Chairs</h1>
      <ul>
        {items.map(({ slug, name }) => (
          <li key={slug}>
            <Link to={`/chairs/${slug}`}>{name}</Link>
          </li>
        ))}
      </ul>
      {items.length < total && <button onClick={more}>Load more</button>}
    </>
  );
}
