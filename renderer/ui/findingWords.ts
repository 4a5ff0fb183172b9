// What findings are called. One place, so that screen and tests agree.

const TITLE: Readonly<Record<string, string>> = {
  forgotten: 'Forgotten and fetched again',
  rule: 'Rule not in the request when broken?',
  dangling: 'Points to what is not there',
  started_twice: 'Sub-agent started twice',
  cache_lost: 'Cache lost',
  compaction_dropped: 'Compaction dropped what was used next',
  refused: 'Would be refused',
};

/** A kind of finding in words; one of a later version by its name. */
export function titleOfKind(kind: string): string {
  return Object.hasOwn(TITLE, kind) ? (TITLE[kind] ?? kind) : kind.replaceAll('_', ' ');
}
