// npm run uses:table [-- SEEDS]   Plants uses into the visible corpus and looks for them under every preset: kind → planted,
// found, with the right outcome, decoys, false. Exit code 1 if less than 99 % are found, or anything is false.
import { readFileSync } from 'node:fs';
import { unpackZlib } from '../core/engine/files/unpackZlib.ts';
import { importText, MemoryTranscript } from '../core/importers/memory.ts';
import { USE_KINDS, type Use, UseFinder, type UseKind, usesOf } from '../core/insight/uses/index.ts';
import { memorySource } from '../core/model/memorySource.ts';
import type { TranscriptSource } from '../core/model/transcript.ts';
import { callPoints, turnStarts } from '../core/model/turns.ts';
import type { ResolvedStage } from '../core/projection/parseSpec.ts';
import { PRESETS } from '../core/projection/presets.ts';
import { project } from '../core/projection/project.ts';
import { createMemo } from '../core/view/memo.ts';
import type { StageMemo } from '../core/view/types.ts';
import { plainOutcome } from './oracle/uses.ts';
import { FORMATS } from './support/formats.ts';
import { type Planted, plant } from './support/plantedUses.ts';
import { stagesOf } from './support/projecting.ts';
import { corpusFiles } from './support/shared.ts';
import { noHost } from './support/textTrace.ts';

const BYTES_MOST = 1_200_000;
const PRESETS_EACH = 5;

interface Counts {
  planted: number;
  found: number;
  right: number;
  gone: number;
  decoys: number;
  wrong: number;
}

interface Session {
  readonly source: TranscriptSource;
  readonly stages: readonly ResolvedStage[];
  readonly memo: StageMemo;
}

function isTold(use: Use, { kind, needle, at }: Planted): boolean {
  return use.kind === kind && use.at === at && use.evidence.includes(needle);
}

// Any kind that the decoy could be mistaken for; a path read once may be named by others.
function isFalse(use: Use, { kind, needle, at, source }: Planted): boolean {
  const isNear = use.at === at && use.sources.some(({ index }) => index === source);
  return use.kind === kind && isNear && (use.evidence.includes(needle) || needle.includes(use.evidence));
}

/** A stub dangles where a request holds it and not the result it means: the first such call point, asked of projections. */
function firstDangling({ source, stages, memo }: Session, { at, needle, text }: Planted): number | null {
  for (const point of callPoints(source)) {
    if (point <= at) continue;
    const { view } = project(source, stages, point, { memo });
    const stubStands = view.items.some(
      (item) => item.kind === 'source' && item.index === at && holds(item.text, needle),
    );
    if (stubStands && plainOutcome(source, view, text, false) === 'gone') return point;
  }
  return null;
}

function holds(text: string | undefined, needle: string): boolean {
  return text === undefined || text.includes(needle.slice(0, 40));
}

function checkPlanted(session: Session, planted: Planted, uses: readonly Use[], counts: Counts): void {
  if (planted.isDecoy) {
    counts.decoys++;
    const told = uses.find((use) => isFalse(use, planted));
    if (told === undefined) return;
    counts.wrong++;
    console.log(`false: ${told.kind} at #${told.at}: ${told.evidence}`);
    return;
  }
  if (planted.kind === 'dangling') {
    const expected = firstDangling(session, planted);
    const told = uses.find(
      (use) => use.kind === 'dangling' && use.sources.some(({ index }) => index === planted.source),
    );
    counts.planted += expected === null ? 0 : 1;
    counts.found += expected !== null && told !== undefined ? 1 : 0;
    counts.right += expected !== null && told?.at === expected ? 1 : 0;
    counts.gone += expected === null ? 0 : 1;
    if ((told?.at ?? null) !== expected) console.log(`dangling: told at ${told?.at}, expected at ${expected}`);
    if (expected === null && told !== undefined) counts.wrong++;
    return;
  }
  counts.planted++;
  const told = uses.find((use) => isTold(use, planted));
  if (told === undefined) {
    console.log(`missed: ${planted.kind} at #${planted.at}: ${planted.needle}`);
    return;
  }
  counts.found++;
  const { source, stages, memo } = session;
  const { view } = project(source, stages, planted.at, { memo });
  const expected = plainOutcome(source, view, planted.text, planted.isWhole);
  if (expected === 'gone') counts.gone++;
  if (told.outcome === expected) counts.right++;
  else {
    counts.wrong++;
    console.log(`${planted.kind} at #${planted.at}: ${told.outcome}, not ${expected}: ${planted.needle}`);
  }
}

function main(seeds: number): number {
  const table = new Map<UseKind, Counts>(
    USE_KINDS.map((kind) => [kind, { planted: 0, found: 0, right: 0, gone: 0, decoys: 0, wrong: 0 }]),
  );
  const presets = PRESETS.filter(({ name }) => name !== 'custom');
  const seen = new Set<string>();
  let turn = 0;
  let sessions = 0;
  for (const path of FORMATS.flatMap((id) => corpusFiles(id))) {
    const bytes = readFileSync(path);
    if (bytes.length > BYTES_MOST) continue;
    const [transcript] = importText(bytes, { unpack: unpackZlib }).transcripts;
    const raw = transcript && MemoryTranscript.of(transcript);
    if (raw === undefined || raw.length < 6) continue;
    for (let seed = 0; seed < seeds; seed++) {
      const texts = Array.from({ length: raw.length }, (_, index) => raw.text(index));
      const made = plant(texts, turnStarts(raw), seed * 7919 + sessions++);
      const source = memorySource(made.texts);
      const finder = new UseFinder(source);
      for (let nth = 0; nth < PRESETS_EACH; nth++) {
        const preset = presets[turn++ % presets.length];
        if (preset === undefined) continue;
        seen.add(preset.name);
        const session = { source, stages: stagesOf(preset.spec), memo: createMemo() };
        const { uses } = usesOf({ source, stages: session.stages, finder, options: { memo: session.memo } }, noHost);
        for (const planted of made.planted) {
          const counts = table.get(planted.kind);
          if (counts !== undefined) checkPlanted(session, planted, uses, counts);
        }
      }
    }
  }
  return report(table, sessions, seen.size);
}

function report(table: ReadonlyMap<UseKind, Counts>, sessions: number, presets: number): number {
  console.log(`${sessions} sessions, ${presets} presets`);
  console.log('| kind | planted | found | right outcome | of these gone | decoys | false |');
  let isGood = true;
  for (const [kind, { planted, found, right, gone, decoys, wrong }] of table) {
    console.log(`| ${kind} | ${planted} | ${found} | ${right} | ${gone} | ${decoys} | ${wrong} |`);
    isGood &&= found >= planted * 0.99 && wrong === 0;
  }
  return isGood ? 0 : 1;
}

process.exitCode = main(Number(process.argv[2] ?? 1));
