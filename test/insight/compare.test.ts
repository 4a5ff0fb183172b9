import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { DifferenceFollower } from '../../core/insight/compare/along.ts';
import { compareRequests } from '../../core/insight/compare/requests.ts';
import { usersOf } from '../../core/insight/compare/usedLater.ts';
import { UseFinder } from '../../core/insight/uses/index.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { callPoints } from '../../core/model/turns.ts';
import { followCallPoints, type ReachedPoint } from '../../core/projection/allCallPoints.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import { itemText } from '../../core/view/reader.ts';
import { PAUSE, type View } from '../../core/view/types.ts';
import { projectMessages, stagesOf, transcriptOf } from '../support/projecting.ts';
import { randomTranscript } from '../support/randomTranscript.ts';
import { corpusFiles } from '../support/shared.ts';

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

function compared(messages: readonly unknown[], a: unknown, b: unknown) {
  const source = transcriptOf(messages);
  return compareRequests(source, projectMessages(messages, a), projectMessages(messages, b));
}

/** Walks both and asks at each call point. */
function along(source: TranscriptSource, a: unknown, b: unknown) {
  const follower = new DifferenceFollower(source);
  const differs: number[] = [];
  const runs = [a, b].map((spec) => pointsOf(source, spec));
  for (const _ of callPoints(source)) {
    const [inA, inB] = runs.map((run) => run.next().value);
    if (!inA || !inB) throw new Error('a walk ended early');
    follower.take(inA, inB);
    if (follower.differsNow) differs.push(inA.at);
  }
  return { follower, differs };
}

function* pointsOf(source: TranscriptSource, spec: unknown): Generator<ReachedPoint, undefined> {
  const run = followCallPoints({ source, stages: stagesOf(spec), points: callPoints(source) }, (point) => point);
  for (let step = run.next(null); step.done !== true; ) {
    if (step.value.kind === 'effect') throw new Error('no stage here asks its host');
    if (step.value.kind === 'point') yield step.value.figures;
    step = run.next(step.value.kind === 'pause' ? PAUSE : null);
  }
  return undefined;
}

const textsOf = (source: TranscriptSource, { items }: View) => items.map((item) => itemText(item, source));

/** By projecting anew at every call point, and comparing the texts. */
function bruteForce(source: TranscriptSource, a: unknown, b: unknown) {
  const [stagesA, stagesB] = [stagesOf(a), stagesOf(b)];
  const messages = new Map<number, number>();
  const differs: number[] = [];
  for (const at of callPoints(source)) {
    const [inA, inB] = [project(source, stagesA, at), project(source, stagesB, at)];
    if (JSON.stringify(textsOf(source, inA.view)) === JSON.stringify(textsOf(source, inB.view))) continue;
    differs.push(at);
    for (let index = 0; index < at; index++) {
      const [one, other] = [inA, inB].map(({ view }) =>
        view.items.find((item) => item.kind === 'source' && item.index === index),
      );
      const isSame = one && other ? itemText(one, source) === itemText(other, source) : one === other;
      if (isSame && (one !== undefined || inA.fates[index]?.kind === inB.fates[index]?.kind)) continue;
      if (!messages.has(index)) messages.set(index, at);
    }
  }
  return { differs, messages: [...messages].sort(([x], [y]) => x - y) };
}

describe('two requests', () => {
  const session = [user('one'), assistant('two'), user('three'), assistant('four')];

  it('are equal where the same messages would be sent', () => {
    expect(compared(session, 'raw', 'clean_tool_repair')).toEqual({ equal: true, messages: [], made: [] });
  });

  it('tell which of them holds a message, with stage and rule', () => {
    const { equal, messages } = compared(session, 'raw', { policy: 'summary_prefix', keep_last: 2, summary: 'S' });
    expect(equal).toBe(false);
    expect(messages.map(({ index, differs, a, b }) => [index, differs, a.fate, b.fate, b.stage])).toEqual([
      [0, 'only_a', 'kept', 'summarised', 0],
      [1, 'only_a', 'kept', 'summarised', 0],
    ]);
  });

  it('tell what a stage put into one of them', () => {
    const { made } = compared(session, { policy: 'summary_prefix', keep_last: 2 }, 'raw');
    expect(made).toHaveLength(1);
    expect(made[0]).toMatchObject({ side: 'a', covers: [0, 2], stage: 0 });
  });

  it('both hold what one of them has merged with its neighbour', () => {
    const turns = [user('one'), user('two'), assistant('three'), user('four'), assistant('five')];
    const spec = { version: 1, stages: [{ kind: 'hygiene', options: { profile: 'anthropic' } }] };
    const { messages } = compared(turns, 'raw', spec);
    const merged = messages.filter(({ b }) => b.fate === 'merged');
    expect(merged.length).toBeGreaterThan(0);
    expect(merged.map(({ differs }) => differs)).toEqual(merged.map(() => 'text'));
  });

  it('swap their sides with their policies', () => {
    const spec = { policy: 'summary_prefix', keep_last: 1 };
    const swapped = { only_a: 'only_b', only_b: 'only_a', text: 'text', fate: 'fate' } as const;
    const [one, other] = [compared(session, 'raw', spec), compared(session, spec, 'raw')];
    expect(other.messages).toEqual(
      one.messages.map(({ index, differs, a, b }) => ({ index, differs: swapped[differs], a: b, b: a })),
    );
    expect(other.made.map(({ side }) => side)).toEqual(one.made.map(({ side }) => (side === 'a' ? 'b' : 'a')));
  });
});

describe('who relied on a message later', () => {
  it('is told of each message, each user once', () => {
    const source = transcriptOf([
      user('look at src/forms/login_form.ts, line 48213'),
      assistant('I open src/forms/login_form.ts'),
      user('and?'),
      assistant('Line 48213 of src/forms/login_form.ts is wrong'),
    ]);
    const finder = new UseFinder(source);
    for (const _ of finder.grow());
    expect(usersOf(finder).get(0)).toEqual([1, 3]);
    expect(usersOf(finder).get(2)).toBeUndefined();
  });
});

const FORMATS = ['claude-code', 'codex', 'openai-chat', 'swe-agent', 'harn', 'gemini-cli'];
const LARGEST = 120_000;
const PAIRS: readonly (readonly [string, string])[] = [
  ['as_recorded', 'clean_tool_repair'],
  ['raw', 'reachability_gc'],
  ['clean_then_reclaim', 'reachability_gc'],
  ['raw', 'as_recorded'],
];

const specNamed = (name: string): unknown => PRESETS.find((preset) => preset.name === name)?.spec ?? name;

const files = FORMATS.flatMap((format) =>
  corpusFiles(format)
    .filter((path) => statSync(path).size < LARGEST)
    .slice(0, 4)
    .map((path) => [`${format} ${basename(path)}`, path] as const),
);

describe.runIf(files.length > 0)('along real sessions', () => {
  it.each(files)('%s: as by projecting at every call point', (_, path) => {
    for (const transcript of importText(readFileSync(path), { unpack: unpackZlib }).transcripts.slice(0, 2)) {
      const source = MemoryTranscript.of(transcript);
      if (source.length > 400) continue;
      for (const [a, b] of PAIRS) {
        const [specA, specB] = [specNamed(a), specNamed(b)];
        const expected = bruteForce(source, specA, specB);
        const { follower, differs } = along(source, specA, specB);
        expect(follower.firstDifferenceAt, `${a} ${b}`).toBe(expected.differs[0] ?? null);
        expect(differs, `${a} ${b}`).toEqual(expected.differs);
        const found = follower.messages.map(({ index, at }) => [index, at]);
        expect(found, `${a} ${b}`).toEqual(expected.messages);
      }
    }
  });
});

const SPECS: readonly unknown[] = [
  { policy: 'summary_prefix', keep_last: 6 },
  { policy: 'summary_prefix', keep_last: 7 },
  'squash_failed_calls',
  { version: 1, stages: ['reachability_gc', { kind: 'hygiene', options: { profile: 'anthropic' } }] },
  { version: 1, stages: [{ kind: 'sliding_window', options: { keep_turns: 3 } }] },
];

describe('along random sessions', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('seed %i: as by projecting at every call point', (seed) => {
    const messages = randomTranscript({ seed, turns: 12, broken: seed % 2 === 0 });
    const source = transcriptOf(messages);
    for (const [position, a] of SPECS.entries()) {
      const b = SPECS[(position + seed) % SPECS.length];
      const expected = bruteForce(source, a, b);
      const { follower, differs } = along(source, a, b);
      expect(differs).toEqual(expected.differs);
      expect(follower.messages.map(({ index, at }) => [index, at])).toEqual(expected.messages);
    }
  });
});
