import Link from "next/link";

export default function Layout({ children }) {
  return <html lang="en"><body>
    <nav><Link href="/">Home</Link> <Link href="/lamps">Lamps</Link> <Link href="/chairs">Chairs</Link> <Link href="/makers">Makers</Link></nav>
    <main>{children}</main></body></html>;
}
