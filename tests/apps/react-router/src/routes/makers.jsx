import { useNavigate } from "react-router";
import data from "../data.json";

export const meta = () => [{ title: "Makers" }];
export const loader = () => data.makers;

export default function Makers({ loaderData }) {
  const navigate = useNavigate();
  return (
    <>
      <h1>Makers</h1>
      {loaderData.map(({ slug, name }) => (
        <div key={slug} role="button" tabIndex={0} onClick={() => navigate(`/makers/${slug}`)}>
          <h3>{name}</h3>
        </div>
      ))}
    </>
  );
}
