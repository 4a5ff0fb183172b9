/**
 * All call points of a long session under the policy of every stage, in the background: in the runtime of each host, for the
 * desktop's keeps its pointers in half the memory. A process for each walk: what is read once belongs to the first.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findElectron } from '../../cli/desktop.ts';
import { openEngine } from '../../core/engine/inProcess.ts';
import { writeClaudeCodeFile } from '../support/generate.ts';
import { importAndCount } from './engineCalls.ts';
import { median } from './measure.ts';
import type { BenchOptions, BenchRow } from './types.ts';
import type { WalkTimes } from './walkAlone.ts';

const GROUP = 'walk';
const ROUNDS = 3;
const AIM_MS = 15_000;
const SCRIPT = join(import.meta.dirname, 'walkAlone.ts');

/** Rows of the group. */
export async function benchWalk({ quick }: BenchOptions): Promise<readonly BenchRow[]> {
  const messages = quick ? 10_000 : 100_000;
  const dir = mkdtempSync(join(tmpdir(), 'parallax-bench-'));
  try {
    await importInto(dir, messages);
    const runtimes = [...desktop(), { name: 'web host', binary: process.execPath, env: {} }];
    const times = new Map<string, WalkTimes[]>(runtimes.map(({ name }) => [name, []]));
    // In turn, so that a machine that becomes slower does so for both.
    for (let round = 0; round < (quick ? 1 : ROUNDS); round++) {
      for (const { name, binary, env } of runtimes) times.get(name)?.push(walkIn(binary, env, dir));
    }
    return [...times].flatMap(([name, rounds]) => rowsOf(`${messages} messages, ${name}`, rounds, quick));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function desktop() {
  const { path } = findElectron({ fetch: false });
  return path === null ? [] : [{ name: 'desktop', binary: path, env: { ELECTRON_RUN_AS_NODE: '1' } }];
}

function rowsOf(what: string, rounds: readonly WalkTimes[], quick: boolean): readonly BenchRow[] {
  const first = rounds.map((each) => each.first);
  const next = rounds.map((each) => each.next);
  const aim = quick ? {} : { aim: `under ${AIM_MS} ms`, ok: median(first) < AIM_MS };
  const memory = Math.round(Math.max(...rounds.map((each) => each.memory)));
  const row = (name: string, values: readonly number[], more: Partial<BenchRow>): BenchRow => {
    const note = `median of ${values.map((value) => Math.round(value)).join(', ')}`;
    return { group: GROUP, name: `${what}: ${name}`, value: median(values), unit: 'ms', note, ...more };
  };
  const walked = row('all call points, every stage', first, aim);
  return [
    { ...walked, note: `${walked.note}; ${rounds[0]?.callPoints} call points, at most ${memory} MB` },
    row('the same again', next, {}),
  ];
}

function walkIn(binary: string, env: Readonly<Record<string, string>>, dir: string): WalkTimes {
  openToAll(dir);
  const args = ['--disable-warning=ExperimentalWarning', SCRIPT, join(dir, 'library')];
  const said = execFileSync(binary, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  return JSON.parse(said.trim().split('\n').at(-1) ?? '');
}

async function importInto(dir: string, messages: number): Promise<void> {
  const file = join(dir, 'session.jsonl');
  writeClaudeCodeFile(file, { messages, seed: messages });
  const opened = openEngine(join(dir, 'library'));
  if (!opened.ok) throw new Error(opened.error.text);
  await importAndCount(opened.value.connect(), file);
  await opened.value.dispose();
}

/** The desktop's binary may run as another user. */
function openToAll(dir: string): void {
  chmodSync(dir, 0o777);
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) chmodSync(join(dir, name), 0o777);
}
