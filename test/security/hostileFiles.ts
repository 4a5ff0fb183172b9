// Files whose every text says something to a terminal: a session, a bundle of it, a file no format knows, a mapping, a
// session file to be repaired. Their names do the same.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOSTILE, HOSTILE_NAME, runHere } from './support.ts';

export interface HostileFiles {
  readonly dir: string;
  readonly session: string;
  readonly chat: string;
  readonly bundle: string;
  readonly unknown: string;
  readonly mapping: string;
  readonly broken: string;
  readonly loud: string;
  readonly messages: string;
}

/** Writes them into a folder. */
export async function hostileFiles(dir: string): Promise<HostileFiles> {
  const write = (kind: string, text: string): string => {
    const path = join(dir, `${kind}-${HOSTILE_NAME}.json`);
    writeFileSync(path, text);
    return path;
  };
  const session = write('session', lines(sessionRecords()));
  const bundle = join(dir, `bundle-${HOSTILE_NAME}.json`);
  await runHere(['export', session, '-o', bundle, '--policy', 'reachability_gc']);
  return {
    dir,
    session,
    chat: write('chat', JSON.stringify(chat())),
    bundle: write('lying', lyingBundle(await bundleText(bundle))),
    unknown: write('unknown', JSON.stringify({ [`rows${HOSTILE}`]: [{ [HOSTILE]: 1, who: HOSTILE, said: HOSTILE }] })),
    mapping: write('mapping', JSON.stringify({ version: 1, name: HOSTILE, [HOSTILE]: HOSTILE, messages: HOSTILE })),
    broken: write('broken', `${lines([{ type: 'session', id: HOSTILE }])}{"type":"x${HOSTILE}\n`),
    loud: write('policy', JSON.stringify({ version: 1, stages: [{ kind: 'custom', options: { projector: LOUD } }] })),
    messages: write('append', JSON.stringify([{ role: 'user', content: HOSTILE }])),
  };
}

const LOUD = `() => { throw new Error(${JSON.stringify(HOSTILE)}) }`;

function lines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

async function bundleText(path: string): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  return readFile(path, 'utf8');
}

// Somebody else's bundle: the fields that `verify` prints say what they like.
function lyingBundle(text: string): string {
  const hostile = JSON.stringify(HOSTILE).slice(1, -1);
  return text
    .replace(/"engine_version":"[^"]*"/, `"engine_version":"${hostile}"`)
    .replace(/"prefix_hash":"[^"]*"/, `"prefix_hash":"${hostile}"`)
    .replace(/"hash":"[^"]*"/, `"hash":"${hostile}"`);
}

function sessionRecords(): readonly unknown[] {
  const own = { cwd: `/home/${HOSTILE}`, sessionId: `s-${HOSTILE}`, version: HOSTILE, gitBranch: HOSTILE };
  const user = { ...own, isSidechain: false, userType: 'external', type: 'user' };
  const ai = { ...own, isSidechain: false, userType: 'external', type: 'assistant', requestId: `req${HOSTILE}` };
  const usage = { input_tokens: 40_000, cache_read_input_tokens: 9, cache_creation_input_tokens: 5, output_tokens: 11 };
  const message = {
    type: 'message',
    role: 'assistant',
    model: `claude-opus-4-5${HOSTILE}`,
    stop_reason: HOSTILE,
    usage,
  };
  const at = (second: number) => ({ timestamp: `2026-02-03T10:00:0${second}.000Z` });
  const call = { type: 'tool_use', id: `toolu_${HOSTILE}`, name: `Read${HOSTILE}`, input: { [HOSTILE]: HOSTILE } };
  const result = { type: 'tool_result', tool_use_id: `toolu_${HOSTILE}`, is_error: true, content: HOSTILE };
  return [
    { type: 'summary', summary: HOSTILE, leafUuid: 'a3' },
    { ...user, parentUuid: null, uuid: 'u1', ...at(1), message: { role: 'user', content: `needle ${HOSTILE}` } },
    { ...ai, parentUuid: 'u1', uuid: 'a1', ...at(2), message: { ...message, id: `m1${HOSTILE}`, content: [call] } },
    { ...user, parentUuid: 'a1', uuid: 'u2', ...at(3), message: { role: 'user', content: [result] } },
    {
      ...ai,
      parentUuid: 'u2',
      uuid: 'a3',
      ...at(4),
      message: { ...message, id: `m2${HOSTILE}`, content: [{ type: 'text', text: HOSTILE }] },
    },
    { ...user, parentUuid: 'a3', uuid: 'u3', ...at(5), message: { role: 'user', content: HOSTILE } },
    { type: HOSTILE, [HOSTILE]: HOSTILE },
  ];
}

function chat(): readonly unknown[] {
  const call = { id: HOSTILE, type: 'function', function: { name: HOSTILE, arguments: HOSTILE } };
  return [
    { role: 'system', content: HOSTILE },
    { role: 'user', content: `needle ${HOSTILE}`, name: HOSTILE },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: `other${HOSTILE}`, content: HOSTILE },
  ];
}
