// Deferred tools: out of the overhead, and told at each call point by what stands in the request there.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LoadedTools } from '../../core/projection/loadedTools.ts';
import { countOverhead, QUICK_COUNT } from '../../core/tokens/overhead.ts';
import { runCli } from '../support/cli.ts';
import { transcriptOf } from '../support/projecting.ts';

const READ = { name: 'read', description: 'Reads.', input_schema: { type: 'object', properties: {} } };
const GREP = {
  name: 'grep',
  description: 'x'.repeat(400),
  input_schema: { type: 'object', properties: {} },
  defer_loading: true,
};
const use = (id: string, name: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name, input: {} }] });
const result = (id: string, content: unknown) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
});
const MESSAGES = [
  { role: 'user', content: 'Look.' },
  use('t1', 'read'),
  result('t1', [{ type: 'tool_reference', tool_name: 'grep' }]),
  use('t2', 'grep'),
  result('t2', 'found'),
  { role: 'assistant', content: 'Done.' },
  { role: 'user', content: 'Again.' },
  { role: 'assistant', content: 'Well.' },
];
const tools = [READ, GREP];

it('what is deferred is not beside the messages', () => {
  const count = (list: readonly unknown[]) => countOverhead({ toolsJson: JSON.stringify(list) }, QUICK_COUNT).tools;
  expect(count(tools)).toBe(count([READ]));
  expect(count([{ ...GREP, defer_loading: false }])).toBeGreaterThan(100);
});

it('counts once, from the message that loads it, as long as that is shown', () => {
  const source = transcriptOf(MESSAGES);
  const loads = new LoadedTools(JSON.stringify(tools), (text) => text.length).read(source);
  const view = (...indices: number[]) => loads.inView(indices.map((index) => ({ kind: 'source', index })));
  const size = JSON.stringify({ ...GREP, defer_loading: undefined }).length;
  expect(view(0, 1)).toEqual({ names: [], tokens: 0 });
  expect(view(0, 1, 2, 3)).toEqual({ names: ['grep'], tokens: size });
  expect(view(2, 2)).toEqual({ names: ['grep'], tokens: size });
  expect(view(0, 1, 3, 4)).toEqual({ names: [], tokens: 0 });
  expect(loads.before(2)).toEqual({ names: [], tokens: 0 });
  expect(loads.before(3)).toEqual({ names: ['grep'], tokens: size });
  const cleared = JSON.stringify(result('t1', '[tool result cleared]'));
  expect(loads.inView([{ kind: 'source', index: 2, text: cleared }])).toEqual({ names: [], tokens: 0 });
  expect(loads.inView([{ kind: 'source', index: 2, unrendered: true }])).toEqual({ names: [], tokens: 0 });
  expect(new LoadedTools(JSON.stringify([READ]), () => 1).read(source).inView([])).toBeNull();
});

it('sweep tells it at each call point: a policy that takes the message away takes the tool away', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'parallax-loaded-'));
  const file = join(dir, 'request.json');
  writeFileSync(file, JSON.stringify({ model: 'claude-opus-5', max_tokens: 9, tools, messages: MESSAGES }));
  const loaded = async (spec: string) => {
    const { stdout } = await runCli(['sweep', file, '--spec', spec, '--no-tokens']);
    return stdout
      .trim()
      .split('\n')
      .map((line) => {
        const { at, loadedTools } = JSON.parse(line);
        return [at, loadedTools.names.join(), loadedTools.tokens > 0];
      });
  };
  expect(await loaded('raw')).toEqual([
    [1, '', false],
    [3, 'grep', true],
    [5, 'grep', true],
    [7, 'grep', true],
    [8, 'grep', true],
  ]);
  const window = { version: 1, stages: [{ kind: 'sliding_window', options: { keep_turns: 1 } }] };
  const under = await loaded(JSON.stringify(window));
  expect(under.at(-1)).toEqual([8, '', false]);
  rmSync(dir, { recursive: true, force: true });
});
