// `parallax mcp` with the protocol's own client: an agent asks what it forgot.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');
const SPEC = '{"version":1,"stages":[{"kind":"sliding_window","options":{"turns":1}}]}';
const Answer = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })).length(1),
  isError: z.boolean().optional(),
});

let dir: string;
let session: string;
let client: Client;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-mcp-'));
  session = join(dir, 'session.json');
  const say = (role: string, content: string) => ({ role, content });
  const messages = [
    say('user', 'The port is 8443.'),
    say('assistant', 'Yes.'),
    say('user', 'On.'),
    say('assistant', '8443?'),
  ];
  writeFileSync(session, JSON.stringify({ model: 'gpt-4o', messages: [...messages, say('user', 'And now?')] }));
  client = new Client({ name: 'test', version: '1' });
  const args = ['--disable-warning=ExperimentalWarning', join(CHECKOUT, 'cli', 'main.ts'), 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: CHECKOUT }));
}, 60_000);

afterAll(async () => {
  await client.close();
  rmSync(dir, { recursive: true, force: true });
});

async function ask(name: string, given: Record<string, unknown>) {
  const { content, isError } = Answer.parse(await client.callTool({ name, arguments: { path: session, ...given } }));
  return { text: content[0]?.text ?? '', isError: isError === true };
}

test('lists its tools, all of them read-only', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['find', 'trace', 'uses', 'keep', 'compare', 'findings']);
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
});

test('answers what an agent asks of its own session, and writes nothing', async () => {
  const trace = await ask('trace', { text: 'The port is 8443', spec: SPEC });
  expect([trace.isError, trace.text]).toEqual([false, expect.stringContaining('gone')]);
  expect(trace.text).toContain('Sliding window');
  expect((await ask('keep', { text: 'The port is 8443', spec: SPEC })).text).toContain(
    'Sliding window: Turns to keep 1 → 3',
  );
  expect((await ask('find', { query: '8443', spec: SPEC })).text).toMatch(/^\d rows fit\n\{"index":0/);
  expect((await ask('uses', { spec: SPEC })).isError).toBe(false);
  expect((await ask('findings', { spec: SPEC })).isError).toBe(false);
  expect((await ask('compare', { a: 'raw', b: SPEC })).text).toContain('#0');
  expect(readdirSync(dir)).toEqual(['session.json']);
});

test('a question that makes no sense is answered with what is wrong', async () => {
  const missing = await ask('trace', { path: join(dir, 'nothing.json'), text: 'x' });
  expect([missing.isError, missing.text]).toEqual([true, expect.stringContaining('there is no such file')]);
  expect(await ask('trace', {})).toMatchObject({ isError: true, text: expect.stringContaining('--text') });
  expect((await ask('uses', { spec: 'nonesuch' })).isError).toBe(true);
  expect((await ask('trace', { text: 'Yes.' })).isError).toBe(false);
});

test('an argument that a tool does not take is refused, and not answered as if it were not there', async () => {
  const given = { a: 'raw', b: 'raw', query: 'x' };
  const { tools } = await client.listTools();
  for (const { name, inputSchema } of tools) {
    const own = Object.entries(given).filter(([key]) => key in (inputSchema.properties ?? {}));
    const wrong = await ask(name, { ...Object.fromEntries(own), text: 'Yes.', policy: SPEC });
    expect([wrong.isError, wrong.text], name).toEqual([true, expect.stringContaining('policy')]);
  }
});

test('an argument is described as the command that a tool runs describes it', async () => {
  const { tools } = await client.listTools();
  const Schema = z.object({ properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })) });
  const described = (name: string) => {
    const schema = Schema.parse(tools.find((tool) => tool.name === name)?.inputSchema);
    return schema.properties.at?.description;
  };
  // `uses --at N` is what message N relied on; all others look at the request before it.
  expect(described('uses')).toMatch(/what this message .* relied on/);
  for (const name of ['trace', 'keep', 'compare']) expect(described(name)).toMatch(/^The request before this message/);
});
