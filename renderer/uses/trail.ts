// What the trail of the selected message says in words.
import type { TrailPlace, UseOutcome } from '../../core/protocol/types.ts';
import type { TrailMark } from '../state/trailMarks.ts';
import type { TrailState } from '../state/types.ts';
import { plural } from '../ui/format.ts';
import { verbOf } from './words.ts';

const OUTCOME_WORDS: Readonly<Record<UseOutcome, string>> = {
  original: 'was in the request',
  elsewhere: 'was in the request elsewhere',
  gone: 'was not in the request',
};
const NOT_KNOWN = 'whether the request held it is not known yet';

/** `Used by #97: quotes, names · was in the request` */
export function describeMark({ side, kinds, changed, outcome, confidence }: TrailMark, of: number): string {
  const verbs = [...new Set(kinds.map((kind) => verbOf({ kind, changed })))].join(', ');
  return [
    `${side === 'source' ? 'Used by' : 'Uses'} #${of}: ${verbs}`,
    outcome === null ? NOT_KNOWN : OUTCOME_WORDS[outcome],
    ...(confidence === 'certain' ? [] : [confidence]),
  ].join(' · ');
}

/** `#97 relied on 2 messages · 3 relied on it, 1 while it was not in the request` */
export function describeTrail(trail: TrailState): string {
  const { of, state, error, found } = trail;
  if (of === null || state === 'absent') return '';
  if (state === 'failed') return `Uses of #${of} are not known: ${error}`;
  if (found === null) return `Looking for uses of #${of}…`;
  const { sources, users } = found;
  if (sources.length + users.length === 0) return `No use of #${of} was found, nor by it`;
  const gone = ({ outcome }: TrailPlace) => outcome === 'gone';
  const lacked = sources.filter(gone).length;
  const missed = users.filter(gone).length;
  const isKnown = state === 'known';
  return [
    `#${of} relied on ${sources.length === 0 ? 'nothing found' : plural(sources.length, 'message')}` +
      (isKnown && lacked > 0 ? `, ${lacked} of them not in the request` : ''),
    `${users.length === 0 ? 'none' : users.length} relied on it` +
      (isKnown && missed > 0 ? `, ${missed} while it was not in the request` : ''),
    ...(isKnown ? [] : [NOT_KNOWN]),
  ].join(' · ');
}
