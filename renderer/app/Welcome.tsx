export function Welcome() {
  return <div />;
}
