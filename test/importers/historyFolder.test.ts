// Lists that repeat their history: what is told of each can be put together again from its transcript. Replay by seed.
import { describe, expect, it } from 'vitest';
import { HistoryFolder } from '../../core/importers/reading/historyFolder.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';

interface Told {
  readonly word: string;
  readonly preserved?: readonly number[];
}

const isSummary = (word: string): boolean => word.startsWith('S');

function folder() {
  const transcripts = new Map<string, Told[]>();
  let key = '';
  const told = new HistoryFolder<string>({
    identity: (word) => word,
    begin(next) {
      key = next;
      if (!transcripts.has(key)) transcripts.set(key, []);
    },
    emit(word, preserved) {
      transcripts.get(key)?.push(preserved === undefined ? { word } : { word, preserved });
    },
    isSummary,
  });
  return { told, transcripts };
}

/** The history a transcript tells up to a message: what its last summary preserved, that, and what followed. */
function history(transcript: readonly Told[]): string[] {
  const at = transcript.findLastIndex(({ preserved }) => preserved !== undefined);
  const summary = transcript[at];
  if (!summary?.preserved) return transcript.map(({ word }) => word);
  const kept = summary.preserved.map((index) => transcript[index]?.word ?? '?');
  const before = summary.preserved.filter((index, i) => index === i).length;
  return [
    ...kept.slice(0, before),
    summary.word,
    ...kept.slice(before),
    ...transcript.slice(at + 1).map(({ word }) => word),
  ];
}

// A conversation goes on, is told again, is cut to a beginning, forks, or is summarised; few words, so that lists meet.
function nextList(list: readonly string[], rng: Rng, summaries: number): string[] {
  const some = (): string[] => Array.from({ length: 1 + rng.below(3) }, () => rng.pick(['a', 'b', 'c', 'd']));
  switch (rng.below(6)) {
    case 0:
      return [...list.slice(0, rng.below(list.length + 1)), ...some()];
    case 1:
      return list.slice(0, 1 + rng.below(list.length));
    case 2: {
      const kept = list.slice(-1 - rng.below(3)).filter((word) => !isSummary(word));
      return kept.length === 0 ? [...list] : [`S${summaries}`, ...kept, ...(rng.chance() ? some() : [])];
    }
    default:
      return [...list, ...some()];
  }
}

describe('the history folder', () => {
  it('loses no list and tells none twice', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const rng = seededRng(seed);
      const { told, transcripts } = folder();
      const lists: string[][] = [];
      let list = ['a'];
      for (let step = 0; step < 12; step++) {
        list = lists.length > 0 && rng.chance(0.2) ? rng.pick(lists) : nextList(list, rng, step);
        const { key, added } = told.add(list);
        const transcript = transcripts.get(key) ?? [];
        const states = transcript.map((_, at) => history(transcript.slice(0, at + 1)).join(' '));
        const wanted = list.join(' ');
        // Somewhere on the way the transcript told this list, or one that begins with it.
        const tells = states.some((state) => `${state} `.startsWith(`${wanted} `));
        expect(tells, `seed ${seed}, step ${step}: ${wanted}`).toBe(true);
        if (added > 0) expect(states.at(-1), `seed ${seed}, step ${step}`).toBe(wanted);
        if (lists.some((each) => each.join(' ') === wanted)) expect(added, `seed ${seed}`).toBe(0);
        lists.push(list);
      }
    }
  });

  it('takes a list by its longest beginning', () => {
    const { told } = folder();
    told.add(['a']);
    told.add(['b', 'c']);
    expect(told.add(['a', 'b'])).toEqual({ key: '0', added: 1, continued: true });
    expect(told.add(['a', 'c'])).toEqual({ key: '2', added: 2, continued: false });
    expect(told.add([])).toEqual({ key: '', added: 0, continued: false });
  });

  it('knows a list again that was told by pieces', () => {
    const { told } = folder();
    told.add(['a']);
    expect(told.append(['b', 'c'])).toEqual({ key: '0', added: 2, continued: true });
    expect(told.add(['a', 'b', 'c'])).toMatchObject({ key: '0', added: 0 });
    expect(told.add(['a', 'b', 'c', 'd'])).toMatchObject({ key: '0', added: 1 });
  });

  it.each<[string, string[], (readonly number[])[], string]>([
    ['the last stayed', ['S', 'c', 'd'], [[2]], 'a b c S d'],
    ['the beginning stayed as well', ['a', 'S', 'c'], [[0, 2]], 'a b c S'],
    ['nothing stayed', ['S', 'd'], [], 'a b c'],
    ['another beginning', ['x', 'S', 'c'], [], 'a b c'],
  ])('a summary: %s', (_name, list, preserved, expected) => {
    const { told, transcripts } = folder();
    told.add(['a', 'b', 'c']);
    told.add(list);
    const first = transcripts.get('0') ?? [];
    expect(first.map(({ word }) => word).join(' ')).toBe(expected);
    expect(first.flatMap((each) => (each.preserved ? [each.preserved] : []))).toEqual(preserved);
  });
});
