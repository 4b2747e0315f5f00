import { index, route } from "@react-router/dev/routes";

export default [
  index("routes/home.jsx"),
  route("lamps", "routes/lamps.jsx"),
  route("chairs", "routes/chairs.jsx"),
  route("makers", "routes/makers.jsx"),
  route(":kind/:slug", "routes/item.jsx"),
  route("api/:kind", "routes/part.js"),
];
