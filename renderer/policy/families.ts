// The headings of lists of stages and presets.
import type { StageInfo } from '../../core/protocol/types.ts';

const FAMILY_TITLE: Readonly<Record<string, string>> = {
  recorded: 'Recorded',
  harn: 'Projection policies (Harn)',
  reducers: 'Reducers',
  context: 'Context policy (Jido)',
  vendors: 'Vendors’ own editing',
  pin: 'What must stay',
  hygiene: 'Provider hygiene',
};

/** The heading of a family of stages, or of a group of presets; a vendor's is its name. */
export function groupTitle(group: string | undefined): string {
  if (group === undefined) return 'As it happened';
  return FAMILY_TITLE[group] ?? group;
}

const SHORT: Readonly<Record<string, string>> = {
  harn: 'Harn',
  reducers: 'Reducers',
  context: 'Jido',
  pin: 'Pin',
  hygiene: 'Hygiene',
};

/** A group in one word, where there is no room for a heading: two vendors may call theirs the same. */
export function groupWord(group: string | undefined): string {
  if (group === undefined) return '';
  return SHORT[group] ?? group;
}

/** The vendor whose rules they are; blank for the other groups. Vendors call different things the same. */
export function vendorWord(group: string | undefined): string {
  return group === undefined || group in FAMILY_TITLE ? '' : group;
}

/** What one may choose from, in groups in the order they first come. */
export function inGroups<T>(items: readonly T[], groupOf: (item: T) => string | undefined) {
  return [...Map.groupBy(items, groupOf)].map(([group, members]) => ({ title: groupTitle(group), items: members }));
}

/** Stage kinds by family. */
export function byFamily(stages: readonly StageInfo[]) {
  return inGroups(stages, ({ family }) => family);
}
