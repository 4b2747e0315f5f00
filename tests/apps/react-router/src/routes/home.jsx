export const meta = () => [{ title: "A shop" }];

export default function Home() {
  return <h1>A shop</h1>;
}
