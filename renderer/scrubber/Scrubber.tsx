export function Scrubber() {
  return <div />;
}
