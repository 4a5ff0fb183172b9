// browser-safe

/** The file beside a file of rules that its baselines are kept in. `name` = of the rules, with or without folders. */
export function baselineName(name: string): string {
  return `${name.replace(/\.(?:ya?ml|json)$/i, '')}.baseline.json`;
}

/** Whether a file holds baselines, by its name. */
export function isBaselineName(name: string): boolean {
  return /\.baseline\.json$/i.test(name);
}
