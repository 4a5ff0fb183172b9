// browser-safe

/** How a number of tokens was obtained. Numbers of different provenance are never added up. */
export type Provenance = 'recorded' | 'exact' | 'calibrated' | 'estimated';

/** What is written before a figure: `≈` calibrated by recorded usage, `~` estimated without it; recorded or exact ones have none. */
export function figureSign(provenance: Provenance | null): '' | '≈' | '~' {
  if (provenance === 'estimated') return '~';
  return provenance === 'calibrated' ? '≈' : '';
}
