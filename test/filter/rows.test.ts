// Rows as filters see them, against a plain reading of the same thing: messages parsed again, uses gone through one by one,
// and the texts of the projected messages.
import { describe, expect, it } from 'vitest';
import { compileFilter } from '../../core/filter/match.ts';
import { parseFilter } from '../../core/filter/parseFilter.ts';
import { TranscriptRow } from '../../core/filter/rows.ts';
import { RowUses } from '../../core/filter/rowUses.ts';
import { partStanding, projectedParts } from '../../core/filter/standing.ts';
import { type Use, UsesIndex, usesOf } from '../../core/insight/uses/index.ts';
import { wasMissing } from '../../core/insight/uses/summary.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { Part } from '../../core/model/message.ts';
import { readMessage } from '../../core/model/readMessage.ts';
import { turnStarts } from '../../core/model/turns.ts';
import { project } from '../../core/projection/project.ts';
import { searchText } from '../../core/search/messageText.ts';
import { wordsOf } from '../../core/search/words.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { stagesOf } from '../support/projecting.ts';
import { randomTranscript } from '../support/randomTranscript.ts';

const NOW = { time: Date.UTC(2026, 10, 20, 12), zoneMinutes: 0 };
const SEED = Number(process.env.PARALLAX_SEED ?? 77);
const SPECS = [
  'raw',
  'clean_tool_repair',
  'squash_failed_calls',
  'tool_result_retention',
  'sliding_window',
  'hygiene',
  'reachability_gc',
];
const TIMES = ['2026-01-01T00:00:00Z', '2026-06-01T00:00:00Z', undefined];

function open(seed: number, policy: string, share: number) {
  const texts = randomTranscript({ seed, turns: 10, broken: seed % 2 === 0 });
  const source = memorySource(texts);
  const stages = stagesOf(policy);
  const at = Math.floor(source.length * share);
  const projection = project(source, stages, at);
  const parts = projectedParts(source, projection);
  const { uses } = usesOf({ source, stages }, () => {
    throw new Error('no stage of these asks for anything');
  });
  const meta = (index: number) => {
    const timestamp = TIMES[index % TIMES.length];
    return timestamp === undefined ? {} : { timestamp };
  };
  const row = new TranscriptRow({
    source,
    meta,
    turnStarts: turnStarts(source),
    model: 'claude-opus-5',
    tokens: (index, part) => source.facts(index).parts[part]?.chars ?? null,
    standing: (index, part) => partStanding(parts, index, part),
    stages: projection.reports,
    uses: new RowUses(UsesIndex.of(uses)),
  });
  return { texts, source, projection, uses, row, meta, parts };
}

type Opened = ReturnType<typeof open>;

/** What a leaf asks, by reading everything again. */
type Naive = (opened: Opened, index: number, part: Part | undefined, at: number) => boolean;

const toolOf = ({ texts }: Opened, part: Part | undefined): string | null => {
  if (part?.kind !== 'tool_call' && part?.kind !== 'tool_result') return null;
  const calls = texts.flatMap((text) => readMessage(JSON.parse(text)).parts).filter(({ kind }) => kind === 'tool_call');
  return part.name ?? calls.findLast(({ callId }) => callId != null && callId === part.callId)?.name ?? null;
};
const laterOf = ({ uses }: Opened, index: number, at: number): readonly Use[] =>
  uses.filter(({ sources }) => sources.some((source) => source.index === index && source.part === at));
const turnOf = ({ texts }: Opened, index: number) =>
  texts.slice(0, index + 1).filter((text) => readMessage(JSON.parse(text)).beginsTurn).length;

const LEAVES: readonly (readonly [string, Naive])[] = [
  ['kind:call', (_, __, part) => part?.kind === 'tool_call'],
  ['kind:text', (_, __, part) => part?.kind === 'text'],
  ['role:assistant', ({ texts }, index) => JSON.parse(texts[index] ?? '').role === 'assistant'],
  ['tool:run', (opened, _, part) => toolOf(opened, part)?.toLowerCase() === 'run'],
  ['call:r*', (opened, _, part) => part?.kind === 'tool_call' && toolOf(opened, part)?.startsWith('r') === true],
  ['result:Read', (opened, _, part) => part?.kind === 'tool_result' && toolOf(opened, part)?.toLowerCase() === 'read'],
  ['is:error', (_, __, part) => part?.isError === true],
  [
    'has:thinking',
    ({ texts }, index) => readMessage(JSON.parse(texts[index] ?? '')).parts.some(({ kind }) => kind === 'thinking'),
  ],
  ['model:opus', () => true],
  ['model:gpt', () => false],
  ['tokens>40', (_, __, part) => (part?.chars ?? 0) > 40],
  ['chars<=12', (_, __, part) => (part?.chars ?? 0) <= 12],
  ['index>=7', (_, index) => index >= 7],
  ['turn=2', (opened, index) => turnOf(opened, index) === 2],
  ['after:2026-03', ({ meta }, index) => meta(index).timestamp === TIMES[1]],
  ['before:2026-03', ({ meta }, index) => meta(index).timestamp === TIMES[0]],
  ['used:later', (opened, index, _, at) => laterOf(opened, index, at).length > 0],
  ['used:never', (opened, index, _, at) => laterOf(opened, index, at).length === 0],
  ['used:gone', (opened, index, _, at) => laterOf(opened, index, at).some(wasMissing)],
  ['uses>=2', (opened, index, _, at) => new Set(laterOf(opened, index, at).map((use) => use.at)).size >= 2],
  [
    'reread',
    ({ uses }, index, _, at) => uses.some((use) => use.kind === 'reread' && use.at === index && use.part === at),
  ],
  ['use:gone', ({ uses }, index, _, at) => uses.some((use) => use.at === index && use.part === at && wasMissing(use))],
  ['fate:future', ({ projection }, index) => index >= projection.at],
  [
    'stage:tool',
    ({ projection }, index) => {
      const stage = projection.fates[index]?.stage ?? null;
      const report = stage === null ? undefined : projection.reports[stage];
      return report !== undefined && `${report.kind} ${report.title}`.toLowerCase().includes('tool');
    },
  ],
  ['value', (_, __, part) => says(part, 'value')],
  ['"error ok"', (_, __, part) => says(part, 'error ok')],
];

let texts: readonly string[] = [];
let current = 0;
function says(part: Part | undefined, phrase: string): boolean {
  if (part === undefined) return false;
  const words = wordsOf(searchText(JSON.parse(texts[current] ?? ''), part)).words.map(({ text }) => text);
  return ` ${words.join(' ')} `.includes(` ${phrase} `);
}

/** A filter as text and as a naive test. */
function randomFilter(rng: Rng, depth: number): readonly [string, Naive] {
  const kind = depth === 0 ? 'leaf' : rng.pick(['and', 'or', 'not', 'leaf']);
  if (kind === 'leaf') return rng.pick(LEAVES);
  const [a, first] = randomFilter(rng, depth - 1);
  if (kind === 'not') return [`-(${a})`, (...row) => !first(...row)];
  const [b, second] = randomFilter(rng, depth - 1);
  if (kind === 'and') return [`(${a}) (${b})`, (...row) => first(...row) && second(...row)];
  return [`(${a}) OR (${b})`, (...row) => first(...row) || second(...row)];
}

function compare(opened: Opened, text: string, naive: Naive, about: unknown): number {
  const { expr, problems } = parseFilter(text, NOW);
  expect({ about, text, problems }).toEqual({ about, text, problems: [] });
  const test = compileFilter(expr);
  let fits = 0;
  for (let index = 0; index < opened.source.length; index++) {
    const { parts } = opened.source.facts(index);
    for (let at = 0; at < Math.max(1, parts.length); at++) {
      texts = opened.texts;
      current = index;
      const own = test(opened.row.at(index, at));
      expect({ about, text, index, at, own }).toEqual({
        about,
        text,
        index,
        at,
        own: naive(opened, index, parts[at], at),
      });
      if (own) fits++;
    }
  }
  return fits;
}

describe('rows', () => {
  it('fit what a plain reading fits', () => {
    const fits = new Map(LEAVES.map(([text]) => [text, 0]));
    for (let run = 0; run < SPECS.length * 2; run++) {
      const seed = SEED + run;
      const opened = open(seed, SPECS[run % SPECS.length] ?? 'raw', run % 3 === 0 ? 1 : 0.7);
      for (const [text, naive] of LEAVES) fits.set(text, (fits.get(text) ?? 0) + compare(opened, text, naive, seed));
      const rng = seededRng(seed);
      for (let each = 0; each < 25; each++) compare(opened, ...randomFilter(rng, 3), seed);
    }
    // A leaf that nothing fits would show nothing.
    const unseen = [...fits].flatMap(([text, count]) => (count === 0 ? [text] : []));
    expect(unseen.filter((text) => text !== 'model:gpt')).toEqual([]);
  });

  it('are in the request where its messages say what they say', () => {
    let cleared = 0;
    for (let run = 0; run < SPECS.length * 4; run++) {
      const policy = SPECS[run % SPECS.length] ?? 'raw';
      const { source, projection, parts, row, texts: own } = open(SEED + run, policy, 1);
      const sent = projection.view.items.map(
        (item) => item.text ?? own[item.kind === 'source' ? item.index : -1] ?? '',
      );
      const said = sent.map((text) => {
        const message: unknown = JSON.parse(text);
        return readMessage(message).parts.map((part) => searchText(message, part));
      });
      for (let index = 0; index < source.length; index++) {
        const message: unknown = JSON.parse(own[index] ?? '');
        for (const [at, part] of source.facts(index).parts.entries()) {
          const { fate, where } = partStanding(parts, index, at);
          const words = searchText(message, part);
          const isSaid = said.some((item) => item.includes(words));
          if (fate === 'kept')
            expect({ policy, index, at, where, isSaid }).toMatchObject({ where: 'own', isSaid: true });
          if (where === null) expect(row.at(index, at).values('in')).toBeNull();
          if (fate === 'redacted') cleared++;
        }
      }
    }
    expect(cleared).toBeGreaterThan(0);
  });
});
