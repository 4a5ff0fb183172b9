// npm run keep:table [-- COUNT]   Texts that presets lose on real sessions, and what would have kept them: every change is
// projected again, apart from the search, and must hold the text; with the next smaller value it must not. Exit code 1 if not.
import { readFileSync } from 'node:fs';
import { unpackZlib } from '../core/engine/files/unpackZlib.ts';
import { nodeSha256 } from '../core/engine/nodeHash.ts';
import { formats } from '../core/importers/formats/index.ts';
import { importText, MemoryTranscript } from '../core/importers/memory.ts';
import { decodedFields } from '../core/model/decode.ts';
import type { TranscriptSource } from '../core/model/transcript.ts';
import { PRESETS, presetsFor } from '../core/projection/presets.ts';
import type { ProjectionSpec } from '../core/projection/types.ts';
import { createBudget } from '../core/tokens/budget.ts';
import { type Rng, seededRng } from '../core/util/rng.ts';
import { changesOf, faultsOf, isHeld } from './support/keeping.ts';
import { corpusFiles } from './support/shared.ts';

const MOST_BYTES = 3_000_000;
/** A window that every preset has to act under. */
const inputsOf = () => ({
  sha256: nodeSha256,
  budget: createBudget({ window: 12_000, reserveOutput: 1_000, injectionReserve: 0, caps: {} }),
});

interface Row {
  texts: number;
  kept: number;
  changes: number;
  present: number;
  values: number;
  absent: number;
  tried: number;
}

function* sessions(): Generator<{ readonly name: string; readonly source: TranscriptSource }> {
  const files = formats.all.flatMap(({ id }) => corpusFiles(id).slice(0, 4));
  for (const file of files) {
    const bytes = readFileSync(file);
    if (bytes.length > MOST_BYTES) continue;
    const [first] = importText(bytes, { unpack: unpackZlib }).transcripts;
    if (first === undefined || first.messages.length < 20) continue;
    yield { name: file.split('/').slice(-3).join('/'), source: MemoryTranscript.of(first) };
  }
}

// A line of a message, long enough to be told from others.
function textIn(source: TranscriptSource, rng: Rng, at: number): string | null {
  const index = rng.below(at);
  const message: unknown = JSON.parse(source.text(index));
  const lines = source
    .facts(index)
    .parts.flatMap((part) => decodedFields(message, part))
    .flatMap((field) => field.split('\n'));
  const long = lines.map((line) => line.trim()).filter((line) => line.length >= 24 && line.length <= 160);
  return long.length === 0 ? null : rng.pick(long);
}

function lostText(source: TranscriptSource, spec: ProjectionSpec, rng: Rng, at: number): string | null {
  for (let tries = 0; tries < 6; tries++) {
    const text = textIn(source, rng, at);
    if (text !== null && !isHeld(source, spec, at, { text }, inputsOf)) return text;
  }
  return null;
}

function main(wanted: number): number {
  const rng = seededRng(12);
  const rows = new Map<string, Row>();
  const faults: string[] = [];
  const all = [...sessions()];
  let texts = 0;
  for (let round = 0; texts < wanted && round < 40; round++) {
    for (const { name, source } of all) {
      if (texts >= wanted) break;
      const hasCompactions = source.compactions().length > 0;
      const preset = rng.pick(presetsFor(PRESETS, hasCompactions, hasCompactions && rng.chance(0.5)));
      const at = Math.min(source.length, 20 + rng.below(Math.min(600, source.length)));
      const text = lostText(source, preset.spec, rng, at);
      if (text === null) continue;
      texts++;
      const row = rows.get(preset.name) ?? {
        texts: 0,
        kept: 0,
        changes: 0,
        present: 0,
        values: 0,
        absent: 0,
        tried: 0,
      };
      rows.set(preset.name, row);
      const found = changesOf(source, preset.spec, at, { text }, inputsOf);
      row.texts++;
      row.tried += found.tried;
      if (found.changes.length > 0) row.kept++;
      else faults.push(`${name} ${preset.name} #${at} “${text}”: nothing keeps it`);
      for (const change of found.changes) {
        row.changes++;
        row.values += change.less.length;
        const own = faultsOf(change, source, preset.spec, at, { text }, inputsOf);
        faults.push(...own.map((fault) => `${name} ${preset.name} #${at} “${text}”: ${fault}`));
        if (!own.some((fault) => fault.endsWith('absent'))) row.present++;
        row.absent += change.less.length - own.filter((fault) => fault.endsWith('does it too')).length;
      }
    }
  }
  const line = (name: string, row: Row) =>
    console.log(
      `| ${name} | ${row.texts} | ${row.kept} | ${row.changes} | ${row.present} | ${row.values} | ${row.absent} | ${row.tried} |`,
    );
  console.log(
    '| preset | lost texts | kept by some change | changes | projected again: present | smaller values | absent | specs tried |',
  );
  console.log('|---|--:|--:|--:|--:|--:|--:|--:|');
  const sum: Row = { texts: 0, kept: 0, changes: 0, present: 0, values: 0, absent: 0, tried: 0 };
  for (const [name, row] of [...rows].sort(([a], [b]) => a.localeCompare(b))) {
    line(name, row);
    for (const key of Object.keys(sum) as (keyof Row)[]) sum[key] += row[key];
  }
  line('**all**', sum);
  for (const fault of faults) console.log(`fault: ${fault}`);
  return faults.length > 0 ? 1 : 0;
}

process.exitCode = main(Number(process.argv[2] ?? 200));
