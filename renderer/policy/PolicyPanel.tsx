/** The policy panel: stages, budget, presets. */
export function PolicyPanel() {
  return <aside className="policy" aria-label="Policy" data-testid="policy-panel" />;
}
