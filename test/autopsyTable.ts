// Every recorded compaction of the corpus: what of the covered span survives, by class, and what came behind it; beside the
// figures that were measured elsewhere. `npm run autopsy:table`; with --each a line for each compaction.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { unpackZlib } from '../core/engine/files/unpackZlib.ts';
import { type ImportedTranscript, importText, MemoryTranscript } from '../core/importers/memory.ts';
import { autopsiesOf } from '../core/insight/autopsy/autopsy.ts';
import { CompactionWatch } from '../core/insight/autopsy/moments.ts';
import { type Autopsy, SURVIVAL_CLASSES, type SurvivalClass } from '../core/insight/autopsy/types.ts';
import { UseFinder, UsesFollower } from '../core/insight/uses/index.ts';
import { callPoints } from '../core/model/turns.ts';
import { followCallPoints } from '../core/projection/allCallPoints.ts';
import { estimatedTokens } from '../core/view/tokens.ts';
import { stagesOf } from './support/projecting.ts';
import { filesBelow, sharedDir } from './support/shared.ts';
import { tableText as table } from './support/table.ts';

interface Placed extends Autopsy {
  readonly file: string;
  readonly format: string;
}

/** Measured elsewhere, over 43 compactions. */
const ELSEWHERE: Readonly<Partial<Record<SurvivalClass, string>>> = {
  decisions: '77%',
  paths: '9.8%',
  numbers: '1.9%',
  commands: '0.2%',
};

/** Files may hold the sessions of others. */
const seen = new Set<string>();
const shared = sharedDir();
const files = shared === null ? [] : filesBelow(`${shared}/corpus`).filter((path) => path.includes('/visible/'));
const found = files.flatMap(autopsiesIn);
const read = found.filter(({ covered, survival }) => covered.length > 0 && survival !== null);

console.log(`${found.length} compactions in ${new Set(found.map(({ file }) => file)).size} files`);
console.log(`${read.length} of them cover messages that the transcript holds, and left something readable\n`);
if (process.argv.includes('--each')) printEach();
printSurvival();
printAfter();

function autopsiesIn(path: string): readonly Placed[] {
  const { transcripts, format } = importText(readFileSync(path), { unpack: unpackZlib });
  return transcripts
    .filter(({ compactions, key, meta }) => compactions.length > 0 && isNew(`${key} ${meta.sessionId ?? path}`))
    .flatMap((transcript) =>
      autopsy(transcript).map((each) => ({
        ...each,
        file: `${basename(path)} ${transcript.key}`,
        format: format ?? '',
      })),
    );
}

function isNew(key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}

function autopsy(transcript: ImportedTranscript): readonly Autopsy[] {
  const source = MemoryTranscript.of(transcript);
  const finder = new UseFinder(source);
  for (const _ of finder.grow());
  const tokens = estimatedTokens(source);
  const watch = new CompactionWatch(source);
  const follower = new UsesFollower({ source, finder, front: transcript.meta, tokens });
  const run = followCallPoints(
    { source, stages: stagesOf('recorded_compaction'), points: callPoints(source) },
    (point) => {
      watch.take(point);
      follower.take(point);
    },
  );
  for (let step = run.next(null); step.done !== true; step = run.next(null));
  const metaAt = (index: number) => transcript.messages[index]?.meta ?? {};
  return autopsiesOf({ source, metaAt, tokens, moments: watch.moments, uses: follower.all, window: null });
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`;
}

function printEach(): void {
  const rows = found.map(({ file, format, at, trigger, tokensBefore, covered, survival, after }) => [
    format,
    file.slice(0, 48),
    `#${at}`,
    trigger ?? '–',
    String(tokensBefore ?? '–'),
    String(covered.length),
    ...(['paths', 'numbers', 'commands'] as const).map((name) =>
      survival === null ? 'opaque' : `${survival[name].survived}/${survival[name].total}`,
    ),
    String(after.rereads.length),
    String(after.filesReadAgain.length),
    String(after.callsToFirstEdit ?? '–'),
  ]);
  const head = [
    'format',
    'file',
    'at',
    'trigger',
    'before',
    'covered',
    'paths',
    'numbers',
    'commands',
    'again',
    'files',
    'edit',
  ];
  console.log(`${table([head, ...rows])}\n`);
}

function printSurvival(): void {
  const rows = SURVIVAL_CLASSES.map((name) => {
    const all = read.map(({ survival }) => survival?.[name]);
    const sum = (of: 'total' | 'survived' | 'words') => all.reduce((total, each) => total + (each?.[of] ?? 0), 0);
    const lost = all.flatMap((each) => each?.lost ?? []);
    const used = lost.filter(({ usedLater }) => usedLater.length > 0).length;
    const [total, survived] = [sum('total'), sum('survived')];
    return [
      name,
      String(total),
      String(survived),
      share(survived, total),
      share(sum('words'), total),
      String(used),
      ELSEWHERE[name] ?? '',
    ];
  });
  console.log(
    table([['class', 'said', 'survived', 'share', 'word for word', 'lost, used later', 'elsewhere'], ...rows]),
  );
}

function printAfter(): void {
  const behind = read.filter(({ after }) => after.calls > 0);
  const rows = [...new Set(behind.map(({ format }) => format))].map((format) => {
    const own = behind.filter((each) => each.format === format);
    const again = own.filter(({ after }) => after.filesReadAgain.length > 0).length;
    const rereads = own.reduce((sum, { after }) => sum + after.rereads.length, 0);
    const failures = own.reduce((sum, { after }) => sum + after.repeatedFailures.length, 0);
    const edits = own.flatMap(({ after }) => after.callsToFirstEdit ?? []).sort((a, b) => a - b);
    const median = edits[Math.floor(edits.length / 2)];
    return [
      format,
      String(own.length),
      `${again} (${share(again, own.length)})`,
      String(rereads),
      String(failures),
      String(median ?? '–'),
    ];
  });
  const head = [
    'format',
    'with calls behind',
    'read files again',
    'same call, same result',
    'failed again',
    'calls to first edit (median)',
  ];
  console.log(`${table([head, ...rows])}\n`);
  console.log('elsewhere: 95% of 74 Codex compactions were followed by reads of files already read');
}
