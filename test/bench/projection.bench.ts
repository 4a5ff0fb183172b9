/** Our project() under each Harn policy beside trimMessages and pruneMessages: the same messages, in the same run. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { median } from './measure.ts';
import type { CaseTimes, Contender } from './projectionCase.ts';
import { AI_SDK, LANGCHAIN } from './projectionPeers.ts';
import type { BenchOptions, BenchRow } from './types.ts';

const GROUP = 'projection';
const SIZES = [1_000, 10_000, 100_000];
const CONTENDERS: readonly Contender[] = ['parallax', 'pruneMessages', 'trimMessages'];
const LABEL: Readonly<Record<Contender, string>> = {
  parallax: 'parallax',
  pruneMessages: `pruneMessages (${AI_SDK})`,
  trimMessages: `trimMessages (${LANGCHAIN}), counter: length / 4`,
  'trimMessages+js-tiktoken': `trimMessages (${LANGCHAIN}), counter: js-tiktoken`,
};
/** For making the messages and starting up; not part of what is timed. */
const SETUP_MS = 60_000;

/** Times of a contender; null if it did not end within its time. */
function runCase(contender: Contender, messages: number, budget: number): Promise<CaseTimes | null> {
  const script = join(import.meta.dirname, 'projectionCase.ts');
  const args = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=8000', script];
  const child = spawn(process.execPath, [...args, contender, String(messages), String(budget)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: SETUP_MS + budget,
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8');
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(JSON.parse(said));
      else if (signal === 'SIGTERM') resolve(null);
      else reject(new Error(`${contender}, ${messages} messages: ended with ${code ?? signal}`));
    });
  });
}

function peerRow(contender: Contender, messages: number, times: CaseTimes | null, budget: number): BenchRow {
  const ms = times?.[contender];
  const name = `${count(messages)} messages, ${LABEL[contender]}`;
  if (ms) return { group: GROUP, name, value: median(ms), unit: 'ms', note: runsNote(ms.length) };
  return { group: GROUP, name, value: budget, unit: 'ms', note: 'did not end: stopped after this time' };
}

function ourRows(messages: number, times: CaseTimes, peer: BenchRow): readonly BenchRow[] {
  return Object.entries(times).map(([what, ms]) => {
    const value = median(ms);
    const row = {
      ...{ group: GROUP, name: `${count(messages)} messages, ${what}`, value, unit: 'ms', note: runsNote(ms.length) },
    };
    if (what.startsWith('facts')) return row;
    const ratio = peer.value / value;
    const against = LABEL.trimMessages;
    // What is aimed at is the middle size; the others show how it grows.
    if (messages !== 10_000) return { ...row, ratio, against };
    return { ...row, ratio, against, aim: 'faster than trimMessages', ok: ratio > 1 };
  });
}

function runsNote(runs: number): string {
  return runs === 1 ? 'one run' : `median of ${runs}`;
}

function count(messages: number): string {
  return messages.toLocaleString('en');
}

/** Ours cold (nothing remembered of the transcript) and warm (an option changes), beside the peers, by size. */
export async function benchProjection({ quick }: BenchOptions): Promise<readonly BenchRow[]> {
  const budget = quick ? 15_000 : 60_000;
  const rows: BenchRow[] = [];
  for (const messages of quick ? SIZES.slice(0, 2) : SIZES) {
    const times = new Map<Contender, CaseTimes | null>();
    for (const contender of CONTENDERS) times.set(contender, await runCase(contender, messages, budget));
    const trim = peerRow('trimMessages', messages, times.get('trimMessages') ?? null, budget);
    const ours = times.get('parallax');
    if (!ours) throw new Error(`project() did not end within ${budget} ms on ${messages} messages`);
    const prune = peerRow('pruneMessages', messages, times.get('pruneMessages') ?? null, budget);
    rows.push(trim, prune, ...ourRows(messages, ours, trim));
  }
  const counting = await runCase('trimMessages+js-tiktoken', 1_000, budget);
  rows.push(peerRow('trimMessages+js-tiktoken', 1_000, counting, budget));
  return rows;
}
