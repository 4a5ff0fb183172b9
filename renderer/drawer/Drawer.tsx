/** The drawer: the selected message in every form, its fate and trace. */
export function Drawer() {
  return <section className="drawer" aria-label="Details" data-testid="drawer" />;
}
