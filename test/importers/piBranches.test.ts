// Trees of pi entries against an oracle that holds the whole tree: the active branch is the path from the last entry to
// the root, and every other leaf that says something is a branch.
import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { seededRng } from '../../core/util/rng.ts';
import { addsUp, jsonl } from './support.ts';

interface Entry {
  readonly id: string;
  readonly parentId: string | null;
  readonly speaks: boolean;
}

/** Entries that go on from where they are, or now and then from elsewhere; `hands` programs at the same time. */
function entries(seed: number, count: number, hands: number): Entry[] {
  const rng = seededRng(seed);
  const made: Entry[] = [];
  const tips: (string | null)[] = Array.from({ length: hands }, () => null);
  for (let at = 0; at < count; at++) {
    const hand = rng.below(hands);
    const elsewhere = made.length > 0 && rng.chance(0.15) ? rng.pick(made).id : null;
    const parentId = elsewhere ?? tips[hand] ?? made[0]?.id ?? null;
    const entry = { id: `e${at}`, parentId, speaks: at === 0 || rng.chance(0.8) };
    made.push(entry);
    tips[hand] = entry.id;
  }
  return made;
}

function linesOf(made: readonly Entry[]): string {
  const header = { type: 'session', version: 3, id: 's', cwd: '/w', timestamp: '2026-01-01T00:00:00Z' };
  const lines = made.map(({ id, parentId, speaks }) => {
    const entry = { id, parentId, timestamp: '2026-01-01T00:00:01Z' };
    return speaks
      ? { type: 'message', ...entry, message: { role: 'user', content: id } }
      : { type: 'label', ...entry, label: id };
  });
  return jsonl(header, ...lines);
}

/** The messages on the path from the root to an entry. */
function pathTo(entry: Entry | undefined, byId: ReadonlyMap<string, Entry>): string {
  const path: string[] = [];
  for (let at = entry; at; at = at.parentId === null ? undefined : byId.get(at.parentId))
    if (at.speaks) path.push(at.id);
  return path.reverse().join(' ');
}

const seeds = Array.from({ length: 120 }, (_none, i) => i + 1);

describe('trees of entries', () => {
  it.each(seeds)('seed %i', (seed) => {
    const made = entries(seed, seed <= 100 ? 4 + seed : 700, 1 + (seed % 3));
    const byId = new Map(made.map((entry) => [entry.id, entry]));
    const file = importText(linesOf(made));
    const said = file.transcripts.map(({ messages }) => messages.map(({ meta }) => meta.id).join(' '));
    expect(said[0]).toBe(pathTo(made.at(-1), byId));
    const paths = made.map((entry) => pathTo(entry, byId));
    const leaves = new Set(paths.filter((path) => !paths.some((other) => other.startsWith(`${path} `))));
    leaves.delete(said[0] ?? '');
    // Where the conversation stands inside of another branch, that branch is one too.
    expect(new Set(said.slice(1))).toEqual(leaves);
    expect(said.length).toBe(leaves.size + 1);
    expect(addsUp(file)).toBe(true);
    const events = file.transcripts.flatMap(({ events }) => events.filter(({ kind }) => kind === 'label'));
    expect(events.length).toBe(made.filter(({ speaks }) => !speaks).length);
  });
});
