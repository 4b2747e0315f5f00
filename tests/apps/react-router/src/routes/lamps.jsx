import { useEffect, useRef, useState } from "react";
import { Link } from "react-router";
import data from "../data.json";

export const meta = () => [{ title: "Lamps" }];
export const loader = () => ({ first: data.lamps.slice(0, 12), total: data.lamps.length });

export default function Lamps({ loaderData: { first, total } }) {
  const [items, setItems] = useState(first);
  const end = useRef(null);
  useEffect(() => {
    const observer = new IntersectionObserver(async ([entry]) => {
      if (!entry.isIntersecting || items.length >= total) return;
      observer.disconnect();
      const answer = await fetch(`/api/lamps?offset=${items.length}`);
      setItems([...items, ...(await answer.json())]);
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [items, total]);
  return (
    <>
      <h1>Lamps</h1>
      <p>
        {items.length} of {total}
      </p>
      <ul>
        {items.map(({ slug, name }) => (
          <li key={slug} style={{ height: "9rem" }}>
            <Link to={`/lamps/${slug}`}>{name}</Link>
          </li>
        ))}
      </ul>
      <div ref={end} />
    </>
  );
}
