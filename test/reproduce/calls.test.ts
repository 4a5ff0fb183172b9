// A call sends the request that was written: the SDKs' types take it, and what a server is sent is its body.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { requestCall, requestJson, type SentRequest, sentRequest, vendorSettings } from '../../core/reproduce/index.ts';
import { WIRE_TARGETS, type WireTarget } from '../../core/wire/types.ts';
import { stagesOf } from '../support/projecting.ts';
import { PYTHON_COMMAND } from '../support/python.ts';
import { sharedDir } from '../support/shared.ts';
import { typeErrors } from '../support/typeCheck.ts';
import { corpusTranscripts, writeBody, writeRepaired } from '../support/wireBodies.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');
const dir = mkdtempSync(join(tmpdir(), 'parallax-calls-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
symlinkSync(join(CHECKOUT, 'node_modules'), join(dir, 'node_modules'));
writeFileSync(join(dir, 'package.json'), '{"type":"module"}');

const SESSIONS: Readonly<Record<string, unknown>> = {
  anthropic: {
    model: 'claude-opus-4-5',
    max_tokens: 64,
    betas: ['context-management-2025-06-27'],
    context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    system: 'Be brief.',
    messages: [
      { role: 'user', content: "it's\nBODY\n$HOME `x` \u202e 😀" },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: { deep: { n: [1, 2.5, null, true] } } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt', is_error: false }] },
    ],
  },
  chat: {
    model: 'gpt-5',
    temperature: 0.5,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a.txt' },
    ],
  },
};

function requestFor(name: string, target: WireTarget, strict = true): SentRequest {
  const [transcript] = importText(JSON.stringify(SESSIONS[name])).transcripts;
  if (transcript === undefined) throw new Error(name);
  const { body } = writeBody({ format: '', name, transcript }, target, strict);
  return sentRequest(body, ABOUT);
}

const ABOUT = { title: 'a "title"\n*/ of \u202e two lines', at: 3, messages: 4, policy: 'Own policy' };

const call = (request: SentRequest, language: 'curl' | 'python' | 'typescript'): string =>
  requestCall(request, language) ?? '';

test('SDK calls type-check: what was recorded, repaired, as a policy leaves it, for every target', () => {
  const files: Record<string, string> = {};
  for (const name of Object.keys(SESSIONS)) {
    for (const target of WIRE_TARGETS) files[`${name}-${target}.ts`] = call(requestFor(name, target), 'typescript');
  }
  if (sharedDir() !== null) {
    for (const format of ['claude-code', 'codex', 'gemini-contents', 'openai-responses', 'pi', 'harn']) {
      for (const transcript of corpusTranscripts(format, false, 1)) {
        if (transcript.transcript.messages.length > 150) continue;
        for (const target of WIRE_TARGETS) {
          const { body } = writeRepaired(transcript, target);
          files[`${Object.keys(files).length}-${format}-${target}.ts`] = call(sentRequest(body, ABOUT), 'typescript');
        }
      }
    }
  }
  expect(Object.keys(files).length).toBeGreaterThanOrEqual(8);
  expect(typeErrors(files)).toEqual([]);
});

test('settings that are code type-check; the types refuse what they should', () => {
  const spec = {
    version: 1 as const,
    stages: [
      { kind: 'vercel_prune_messages', options: { toolCalls: [{ type: 'before-last-4-messages', tools: ['a'] }] } },
      { kind: 'vercel_prune_messages', options: { reasoning: 'all', tool_calls: 'before-last-message' } },
      {
        kind: 'anthropic_clear_tool_uses',
        options: { clear_at_least: 5, exclude_tools: ['a'], clear_tool_inputs: ['b'] },
      },
      { kind: 'anthropic_clear_thinking', options: { turns: 2 } },
      { kind: 'anthropic_compaction' },
      { kind: 'openai_truncation' },
      { kind: 'openai_compaction' },
    ],
  };
  const settings = new Map(vendorSettings({ spec, stages: stagesOf(spec) }).map(({ vendor, code }) => [vendor, code]));
  const errors = typeErrors({
    'ai-sdk.ts': `${settings.get('ai-sdk')}\nimport type { PrepareStepFunction } from 'ai';\nexport const typed: PrepareStepFunction<{}> = prepareStep;\n`,
    'anthropic.ts': `import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/beta/messages';\nexport const typed: Pick<MessageCreateParams, 'context_management'> = ${settings.get('anthropic')};\n`,
    'openai.ts': `import type { ResponseCreateParams } from 'openai/resources/responses/responses';\nexport const typed: ResponseCreateParams = ${settings.get('openai')};\n`,
    'bad.ts': call(requestFor('anthropic', 'anthropic'), 'typescript').replace('"toolu_1"', '1'),
  });
  expect(errors.filter((line) => !line.startsWith('bad.ts'))).toEqual([]);
  expect(errors.join('\n')).toContain('bad.ts');
});

interface Sent {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

// What a program sends to a server that answers with an error, which ends it.
async function sentBy(
  run: (address: string) => readonly [string, readonly string[], NodeJS.ProcessEnv],
): Promise<Sent | null> {
  let sent: Sent | null = null;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      sent = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
      response.writeHead(400, { 'content-type': 'application/json', 'x-should-retry': 'false' }).end('{"error":{}}');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const [command, args, env] = run(`http://127.0.0.1:${address.port}`);
  await new Promise((done) =>
    spawn(command, args, { cwd: dir, env: { ...process.env, ...env }, stdio: 'ignore' }).once('close', done),
  );
  await new Promise((done) => server.close(done));
  return sent;
}

test.each([
  ['anthropic', 'anthropic', '/v1/messages'],
  ['anthropic', 'openai', '/v1/chat/completions'],
  ['chat', 'openai', '/v1/chat/completions'],
  ['chat', 'responses', '/v1/responses'],
  ['chat', 'anthropic', '/v1/messages'],
] as const)('the TypeScript call of %s for %s sends the body', async (name, target, path) => {
  const request = requestFor(name, target);
  writeFileSync(join(dir, 'call.ts'), call(request, 'typescript'));
  const sent = await sentBy((address) => {
    const env = {
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: address,
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${address}/v1`,
    };
    return [process.execPath, ['--disable-warning=ExperimentalWarning', 'call.ts'], env];
  });
  expect(sent?.url).toBe(path);
  expect(JSON.parse(sent?.body ?? '')).toEqual(JSON.parse(requestJson(request)));
  if (request.betas.length > 0) expect(sent?.headers['anthropic-beta']).toContain(request.betas[0]);
});

test('the curl command sends the body byte by byte, its key from the environment, the beta as a header', () => {
  const shim = join(dir, 'curl');
  writeFileSync(shim, '#!/bin/sh\nfor each in "$@"; do printf "%s\\n" "$each"; done > arguments.txt\ncat > body.txt\n');
  chmodSync(shim, 0o755);
  const request = requestFor('anthropic', 'anthropic', false);
  const env = { ...process.env, PATH: `${dir}:${process.env.PATH ?? ''}`, ANTHROPIC_API_KEY: 'from-environment' };
  const run = spawnSync('sh', ['-c', call(request, 'curl')], { cwd: dir, env, encoding: 'utf8' });
  expect(run.stderr).toBe('');
  const args = readFileSync(join(dir, 'arguments.txt'), 'utf8').split('\n');
  expect(args).toContain('https://api.anthropic.com/v1/messages');
  expect(args).toContain('x-api-key: from-environment');
  expect(args).toContain('anthropic-beta: context-management-2025-06-27');
  const body = readFileSync(join(dir, 'body.txt'), 'utf8').trimEnd();
  expect(body).not.toContain('"betas"');
  expect(body.replaceAll('\\u202e', '\u202e')).toBe(requestJson(request));
});

test('a model’s name in an address cannot act on the shell', () => {
  const [transcript] = importText(
    JSON.stringify({ ...Object(SESSIONS.chat), model: 'gemini-2.5-pro$(touch x)' }),
  ).transcripts;
  if (transcript === undefined) throw new Error('chat');
  const { body } = writeBody({ format: '', name: '', transcript }, 'gemini', true);
  expect(call(sentRequest(body, ABOUT), 'curl')).toMatch(/'https:[^\n']*\$\(touch x\)[^\n']*' \\/);
});

test.skipIf(PYTHON_COMMAND === null)('the Python call passes the body by names that the package knows', () => {
  const stub = `import json, sys
class Create:
    def __init__(self, path): self.path = path
    def __getattr__(self, name): return Create(self.path + "." + name)
    def __call__(self, **given):
        print(json.dumps([self.path, given])); sys.exit(0)
def Anthropic(): return Create("client")
def OpenAI(): return Create("client")
`;
  for (const name of ['anthropic', 'openai']) writeFileSync(join(dir, `${name}.py`), stub);
  for (const [name, target, path] of [
    ['anthropic', 'anthropic', 'client.beta.messages.create'],
    ['chat', 'anthropic', 'client.messages.create'],
    ['chat', 'openai', 'client.chat.completions.create'],
    ['anthropic', 'responses', 'client.responses.create'],
  ] as const) {
    const request = requestFor(name, target);
    writeFileSync(join(dir, 'call.py'), call(request, 'python'));
    const run = spawnSync(PYTHON_COMMAND ?? '', ['call.py'], { cwd: dir, encoding: 'utf8' });
    expect(run.stderr).toBe('');
    const [called, { betas, extra_body, ...given }] = JSON.parse(run.stdout);
    expect(called).toBe(path);
    expect(betas ?? []).toEqual(request.betas);
    expect({ ...given, ...extra_body }).toEqual(JSON.parse(requestJson(request)));
  }
});

test('a member that the Python package does not know goes out beside the others; Gemini has no Python call', () => {
  const [transcript] = importText(JSON.stringify({ ...Object(SESSIONS.anthropic), temperature: 0.5 })).transcripts;
  if (transcript === undefined) throw new Error('anthropic');
  const { body } = writeBody({ format: '', name: '', transcript }, 'anthropic', false);
  expect(call(sentRequest(body, ABOUT), 'python')).toContain('extra_body={"temperature": 0.5},');
  expect(requestCall(requestFor('chat', 'gemini'), 'python')).toBeNull();
});

test('what is said above a call is a comment of one line each', () => {
  for (const language of ['curl', 'python', 'typescript'] as const) {
    const mark = language === 'typescript' ? '//' : '#';
    const [first = ''] = call(requestFor('chat', 'openai'), language).split('\n');
    expect(first).toBe(
      `${mark} OpenAI chat completions, gpt-5: "a "title" */ of two lines", the request before message 3 of 4, under Own policy.`,
    );
  }
});
