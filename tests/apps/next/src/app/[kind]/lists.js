"use client";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";

const part = async (kind, { length }) => (await fetch(`/api/${kind}?offset=${length}`)).json();

export function Lamps({ first, total }) {
  const [items, setItems] = useState(first);
  const end = useRef(null);
  useEffect(() => {
    if (items.length >= total) return;
    const observer = new IntersectionObserver(async ([entry]) => {
      if (!entry.isIntersecting) return;
      observer.disconnect();
      setItems([...items, ...(await part("lamps", items))]);
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [items, total]);
  return <><p>{items.length} of {total}</p>
    <ul>{items.map(({ slug, name }) => <li key={slug} style={{ height: "9rem" }}><Link href={`/lamps/${slug}`}>{name}</Link></li>)}</ul>
    <div ref={end} /></>;
}

export function Chairs({ first, total }) {
  const [items, setItems] = useState(first);
  const more = async () => setItems([...items, ...(await part("chairs", items))]);
  return <><ul>{items.map(({ slug, name }) => <li key={slug}><Link href={`/chairs/${slug}`}>{name}</Link></li>)}</ul>
    {items.length < total && <button onClick={more}>Load more</button>}</>;
}

export function Makers({ first }) {
  const { push } = useRouter();
  return first.map(({ slug, name }) => <button key={slug} onClick={() => push(`/makers/${slug}`)}>{name}</button>);
}
