export function Header() {
  return <header>Parallax</header>;
}
