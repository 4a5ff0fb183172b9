// What a request holds beside its messages, on the command line.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCounter } from '../../core/tokens/counters.ts';
import { runCli } from '../support/cli.ts';

const SYSTEM = 'You look after a small shop that sells bicycles, and answer briefly.';
const TOOL = {
  name: 'stock',
  description: 'Says how many bicycles of a kind there are, and where they stand.',
  input_schema: { type: 'object', properties: { kind: { type: 'string' } } },
};
const TURNS = Array.from({ length: 4 }, (_, turn) => [
  { role: 'user', content: `Question ${turn}: ${'how many red ones are left? '.repeat(6)}` },
  {
    role: 'assistant',
    content: [{ type: 'text', text: `Answer ${turn}: ${'seven of them, in the yard. '.repeat(6)}` }],
  },
]).flat();

let dir: string;
let file: string;
let beside: { readonly system: number; readonly tools: number };

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'parallax-beside-'));
  file = join(dir, 'request.json');
  const body = { model: 'claude-sonnet-4-5', system: SYSTEM, tools: [TOOL], messages: TURNS };
  writeFileSync(file, JSON.stringify(body));
  const { count } = await loadCounter('o200k_base');
  beside = { system: count(SYSTEM), tools: count(JSON.stringify(TOOL)) };
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

const spec = (budget: Readonly<Record<string, unknown>>, stages: readonly unknown[] = []) =>
  JSON.stringify({ version: 1, budget, stages });

describe('system prompt and tools beside the messages', () => {
  it('tools stand in the result word for word, as a file or a line brings them', async () => {
    const tools = '[{"name":"stock","input_schema":{"max":1.0,"big":12345678901234567890}}]';
    const messages = '[{"role":"user","content":"Q"}]';
    const body = join(dir, 'tools.json');
    writeFileSync(body, `{"model":"claude-sonnet-4-5","tools":${tools},"messages":${messages}}`);
    const lines = join(dir, 'tools.ndjson');
    writeFileSync(lines, `{"messages":${messages},"tools":${tools}}\n{"messages":${messages},"tools":null}\n`);
    expect((await runCli(['project', body, '--json'])).stdout).toContain(`"tool_spec":${tools}`);
    const [given, none] = (await runCli(['project', '--ndjson', lines])).stdout.split('\n');
    expect(given).toContain(`"tool_spec":${tools}`);
    expect(JSON.parse(none ?? '').result.tool_spec).toEqual([]);
  });

  it('are told, and count against the budget', async () => {
    const { system, tools } = beside;
    const run = await runCli(['project', file, '--spec', spec({ window: 10_000, overhead: 50 })]);
    expect(run.stdout).toContain(
      `${system + tools + 50} overhead: system prompt ${system}, tools ${tools}, not recorded 50`,
    );
    const json = JSON.parse((await runCli(['project', file, '--spec', spec({ window: 10_000 }), '--json'])).stdout);
    const total = system + tools;
    expect(json.beside).toEqual({ system, tools, overhead: 0, total });
    expect(json.budget).toMatchObject({ total: 10_000, room: 10_000 - total, beside: json.beside });
    expect(json.budget.used).toBe(json.tokens.projected.total + total);
  });

  it('leave the rest to the messages: what fits alone is cut beside them', async () => {
    const window = spec({ window: 320 }, [{ kind: 'sliding_window', options: { fit_budget: true } }]);
    const with_ = JSON.parse((await runCli(['project', file, '--spec', window, '--json'])).stdout);
    expect(with_.budget.overflow).toBeNull();
    expect(with_.budget.used).toBeLessThanOrEqual(320);
    const alone = join(dir, 'alone.json');
    writeFileSync(alone, JSON.stringify({ model: 'claude-sonnet-4-5', messages: TURNS }));
    const without = JSON.parse((await runCli(['project', alone, '--spec', window, '--json'])).stdout);
    expect(with_.dropped_indices.length).toBeGreaterThan(without.dropped_indices.length);
    const words = new RegExp(`the budget \\(320 − ${with_.beside.total} overhead\\)`);
    expect(with_.fates[0].reason).toMatch(words);
  });

  it('begin what requests have in common', async () => {
    const run = await runCli(['sweep', file]);
    const lines = run.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const total = beside.system + beside.tools;
    expect(lines[1].beside).toMatchObject({ ...beside, total });
    expect(lines[1].cache.prefixTokens).toBe(lines[0].tokens.total + total);
  });

  it('are given with a request of many', async () => {
    const request = { id: 1, messages: TURNS, model: 'claude-sonnet-4-5', system: SYSTEM, tools: [TOOL], spec: 'raw' };
    const run = await runCli(['project', '--ndjson'], `${JSON.stringify(request)}\n`);
    expect(JSON.parse(run.stdout).result.beside).toMatchObject(beside);
  });
});
