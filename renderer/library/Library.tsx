export function Library() {
  return <nav />;
}
