// `parallax worker`: each task is answered with what its command prints, in any order, and a fault is an answer.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { runCli } from '../support/cli.ts';

const Answer = z.object({
  id: z.unknown(),
  op: z.string().optional(),
  exit: z.int().optional(),
  result: z.unknown().optional(),
  notes: z.array(z.string()).optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});

let dir: string;
let session: string;
const SPEC = { version: 1, stages: [{ kind: 'sliding_window', options: { turns: 1 } }] };
const MESSAGES = [
  { role: 'user', content: 'Read docs/harbour.md: berth_9917.' },
  { role: 'assistant', content: 'berth_9917, as you say. 1.50e2' },
  { role: 'user', content: 'And now?' },
  { role: 'assistant', content: 'berth_9917 again.' },
  { role: 'user', content: 'Go on.' },
];

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-worker-'));
  session = join(dir, 'session.json');
  writeFileSync(session, JSON.stringify({ model: 'gpt-4o', messages: MESSAGES }));
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function answersTo(lines: readonly (string | object)[], ...more: readonly string[]) {
  const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const run = await runCli(['worker', ...more], input);
  const answers = run.stdout
    .trimEnd()
    .split('\n')
    .map((line) => Answer.parse(JSON.parse(line)));
  return { run, of: (id: unknown) => answers.filter((answer) => answer.id === id), answers };
}

test('each op answers what its command prints', async () => {
  const spec = `--spec=${JSON.stringify(SPEC)}`;
  const rules = { version: 1, policy: SPEC, rules: [{ text: 'berth_9917' }, { uses_gone: 0 }] };
  const rulesPath = join(dir, 'rules.json');
  writeFileSync(rulesPath, JSON.stringify(rules));
  const vary = ['sliding_window.turns=1,2'];
  const asked: readonly (readonly [op: string, args: readonly string[], more: object, several: boolean])[] = [
    ['project', ['--json', spec], { spec: SPEC }, false],
    ['sweep', [spec], { spec: SPEC }, true],
    ['uses', ['--json', spec], { spec: SPEC }, false],
    ['autopsy', ['--json', spec], { spec: SPEC }, false],
    ['lint', ['--json', spec, '--at=2'], { spec: SPEC, at: 2 }, false],
    ['findings', ['--json', spec, '--no-prevented'], { spec: SPEC, prevented: false }, true],
    ['tune', ['--json', spec, `--vary=${vary[0]}`], { spec: SPEC, vary }, true],
    ['check', ['--format=json', rulesPath], { rules: rulesPath }, false],
  ];
  const { run, of } = await answersTo(
    asked.map(([op, , more]) => ({ id: op, op, path: session, ...more })),
    '--jobs=2',
  );
  expect([run.code, run.stderr]).toEqual([0, '']);
  const printed = await Promise.all(asked.map(([op, args]) => runCli([op, ...args, session])));
  for (const [at, [op, , , several]] of asked.entries()) {
    const lines = (printed[at]?.stdout ?? '')
      .trimEnd()
      .split('\n')
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line));
    expect(lines.length, op).toBeGreaterThan(op === 'findings' ? -1 : 0);
    const [answer] = of(op);
    expect([op, answer?.exit, answer?.result]).toEqual([op, printed[at]?.code, several ? lines : lines[0]]);
  }
});

test('a transcript in the task is read byte for byte', async () => {
  const document = JSON.stringify({ messages: MESSAGES });
  const raw = `{"messages":[{"role":"user","content":"x","n":1.50e2}]}`;
  const { of } = await answersTo([
    { id: 'text', op: 'project', transcript: document, spec: SPEC },
    `{"id":"document","op":"project","transcript":${document},"spec":${JSON.stringify(SPEC)}}`,
    `{"id":"raw","op":"project","transcript":${raw}}`,
  ]);
  expect(of('text')[0]?.result).toEqual(of('document')[0]?.result);
  const outside = await runCli(['worker'], `{"id":"raw","op":"project","transcript":${raw}}`);
  expect(outside.stdout).toContain('"n":1.50e2');
  expect(of('raw')).toHaveLength(1);
});

test('every line is answered once; a fault is an answer, and the next task goes on', async () => {
  const good = (id: number) => ({ id, op: 'project', transcript: { messages: MESSAGES.slice(0, 1 + (id % 5)) } });
  const lines = [
    ...Array.from({ length: 30 }, (_, id) => good(id)),
    'not json',
    { id: 'op', op: 'drop', path: session },
    { id: 'both', op: 'project', path: session, transcript: {} },
    { id: 'unknown', op: 'lint', path: session, vary: [] },
    { id: 'unreadable', op: 'project', path: join(dir, 'nothing.json') },
    { id: 'option', op: 'project', path: session, spec: '--help' },
    { id: 'spec', op: 'project', path: session, spec: { version: 1, stages: [{ kind: 'nope' }] } },
    { id: 'rules', op: 'check', path: session, rules: { version: 1, rules: [] } },
    { id: 'tune', op: 'tune', path: session },
    '',
    good(30),
  ];
  const { run, answers, of } = await answersTo(lines, '--jobs=3');
  expect(run.code).toBe(0);
  for (let id = 0; id <= 30; id++) expect(of(id)).toMatchObject([{ exit: 0, op: 'project' }]);
  const codes = Object.fromEntries(answers.flatMap(({ id, error }) => (error ? [[String(id), error.code]] : [])));
  expect(codes).toEqual({
    ...{ null: 'task.invalid', op: 'task.invalid', both: 'task.invalid', unknown: 'task.invalid' },
    ...{ unreadable: 'input.unreadable', option: expect.any(String), spec: 'spec.invalid', rules: 'rules.invalid' },
    tune: 'usage',
  });
  expect(answers).toHaveLength(31 + 9);
});
