import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openEngine } from '../../core/engine/inProcess.ts';
import { type EngineClient, EngineError } from '../../core/protocol/client.ts';
import type { EventName, Events, ProtocolError } from '../../core/protocol/methods.ts';
import type { Series } from '../../core/protocol/types.ts';
import { placeLibrary, tempDir } from '../support/tempLibrary.ts';

// A small session with one of everything that rows, fates and details speak of. Message numbers are source indices.

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A PNG's header saying 1240×800, and nothing behind it: large enough to be kept as an asset. */
function screenshot(): string {
  const bytes = Buffer.alloc(6000);
  Buffer.from(PIXEL, 'base64').copy(bytes, 0, 0, 16);
  bytes.writeUInt32BE(1240, 16);
  bytes.writeUInt32BE(800, 20);
  return bytes.toString('base64');
}

/** A long result that nothing else refers to. */
export const LONG_RESULT = Array.from({ length: 40 }, (_, i) => `line ${i} of the old file`).join('\n');

/** The messages of the session. #2 and #3 fail and are repaired by #4 and #5; #7 is the long result. */
export const MESSAGES: readonly Record<string, unknown>[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Why does\n  the Login test fail?' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: screenshot() } },
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'Let me look.' }] },
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test', description: 'x' } }],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'Error: no script', is_error: true }] },
  { role: 'assistant', content: [{ type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'npm run unit' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't2', content: '1 passed' }] },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Now the file.' },
      { type: 'tool_use', id: 't3', name: 'Read', input: { file_path: 'src/login.ts' } },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't3', content: LONG_RESULT }] },
  { role: 'assistant', content: [{ type: 'text', text: 'Done with that.' }] },
  { role: 'user', content: 'Thanks. And why is it slow?' },
  { role: 'assistant', content: [{ type: 'text', text: 'Because it sleeps.' }] },
];

/** Claude Code's records of messages, as lines. */
export function sessionFile(messages: readonly Record<string, unknown>[] = MESSAGES): string {
  const lines = messages.map((message, i) => {
    const timestamp = `2026-01-05T09:${String(i).padStart(2, '0')}:00.000Z`;
    const uuid = `u${i}`;
    const model = message.role === 'assistant' ? { id: `msg_${i}`, type: 'message', model: 'claude-sonnet-4-5' } : {};
    return JSON.stringify({
      parentUuid: i === 0 ? null : `u${i - 1}`,
      isSidechain: false,
      cwd: '/home/dev/app',
      sessionId: 'session-one',
      version: '2.0.14',
      gitBranch: 'main',
      type: message.role,
      message: { ...message, ...model },
      uuid,
      timestamp,
    });
  });
  return `${lines.join('\n')}\n`;
}

/** An engine in this thread over a library of its own, closed at the end of the running test. */
export interface TestEngine {
  readonly dir: string;
  readonly client: EngineClient;
  connect(): EngineClient;
  /** Writes a file and imports it; the id of its first transcript. */
  add(name: string, text: string): Promise<string>;
  dispose(): Promise<void>;
}

/** Opens one; `dir` = the folder of an earlier one. */
export function testEngine(dir = tempDir()): TestEngine {
  placeLibrary(join(dir, 'library'));
  const opened = openEngine(join(dir, 'library'), { inline: true });
  if (!opened.ok) throw new Error(opened.error.text);
  const engine = opened.value;
  let disposed: Promise<void> | null = null;
  const dispose = () => {
    disposed ??= engine.dispose();
    return disposed;
  };
  onTestFinished(dispose);
  const client = engine.connect();
  return {
    dir,
    client,
    connect: () => engine.connect(),
    dispose,
    async add(name, text) {
      const path = join(dir, name);
      writeFileSync(path, text);
      const { jobId } = await client.call('import.start', { paths: [path] });
      const { outcomes } = await client.call('import.result', { jobId });
      const id = outcomes[0]?.transcripts[0]?.id;
      if (id === undefined) throw new Error(`nothing imported: ${JSON.stringify(outcomes)}`);
      return id;
    },
  };
}

/** The error a call fails with. */
export async function failureOf(call: Promise<unknown>): Promise<ProtocolError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if ('error' in outcome && outcome.error instanceof EngineError) return outcome.error.data;
  throw new Error(`the call did not fail as expected: ${JSON.stringify(outcome)}`);
}

/** Waits until every part of an open transcript is counted: until then its counts are estimates, and change by themselves. */
export async function whenCounted(client: EngineClient, id: string): Promise<void> {
  const counted = async () => (await client.call('transcript.open', { id })).counted === 1;
  while (!(await counted())) await nextEvent(client, 'transcript', (event) => event.id === id);
}

/** The first event that fits. Ask before causing it. */
export function nextEvent<E extends EventName>(
  client: EngineClient,
  event: E,
  fits: (payload: Events[E]) => boolean = () => true,
): Promise<Events[E]> {
  return new Promise((resolve) => {
    const stop = client.on(event, (payload) => {
      if (!fits(payload)) return;
      stop();
      resolve(payload);
    });
  });
}

/** The series of a policy once it is complete, with all its points. */
export async function seriesOf(client: EngineClient, id: string, spec: unknown, samples = 240): Promise<Series> {
  const done = new Promise<Series>((resolve) => {
    let points: Series['points'] = [];
    const stop = client.on('series', (piece) => {
      points = [...points.slice(0, piece.from), ...piece.points];
      if (!piece.complete) return;
      stop();
      resolve({ ...piece, points });
    });
  });
  await client.call('series.start', { id, spec, samples });
  return done;
}
