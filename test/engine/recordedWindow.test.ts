// What a runtime kept its requests to is the window: in the app, on the command line, and in a bundle that left.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stateMeta } from '../../core/importers/formats/openhands/state.ts';
import { runCli } from '../support/cli.ts';
import { tempDir } from '../support/tempLibrary.ts';
import { testEngine, whenCounted } from './support.ts';

const WINDOW = 3_000;
/** Above the recorded window, and far below that of the model. */
const LONG = 'berth and quay, '.repeat(1_200);

function sessionText(): string {
  const line = (type: string, payload: object) =>
    JSON.stringify({ timestamp: '2026-07-01T10:00:00.000Z', type, payload });
  const said = (role: string, type: string, text: string) =>
    line('response_item', { type: 'message', role, content: [{ type, text }] });
  return [
    line('session_meta', { id: 's', cli_version: '0.142.4' }),
    line('event_msg', { type: 'task_started', model_context_window: WINDOW }),
    line('turn_context', { model: 'gpt-5.5' }),
    said('user', 'input_text', LONG),
    said('assistant', 'output_text', 'Seen.'),
  ].join('\n');
}

test('the recorded window stands above that of the model, and below one that somebody chose', async () => {
  const text = sessionText();
  const { client, add } = testEngine();
  const id = await add('session.jsonl', text);
  expect(await client.call('transcript.open', { id })).toMatchObject({ window: WINDOW, isWindowRecorded: true });
  await whenCounted(client, id);
  const shown = await client.call('projection.set', { id, spec: 'raw', at: null });
  expect(shown.window).toBe(WINDOW);
  const { figures } = await client.call('budget.presets', { id, at: null, sums: true, policies: [] });
  expect(figures.find(({ name }) => name === 'raw')).toMatchObject({
    total: WINDOW,
    fits: false,
    firstOver: { at: 1 },
  });
  const chosen = await client.call('projection.set', { id, spec: 'raw', at: null, window: 200_000 });
  expect(chosen.window).toBe(200_000);

  const dir = tempDir();
  const file = join(dir, 'session.jsonl');
  writeFileSync(file, text);
  const own = (await runCli(['project', file])).stdout;
  expect(own).toMatch(/of 3,000 \(\d+\.\d%\)\n.*OVER by/);
  expect((await runCli(['presets', file])).stdout).toMatch(/^Raw .*#1 +raw$/m);

  const bundle = join(dir, 'out.json');
  await runCli(['export', file, '--unscrubbed', '-o', bundle]);
  expect((await runCli(['verify', bundle])).code).toBe(0);
  expect((await runCli(['project', bundle])).stdout).toMatch(/of 3,000 \(\d+\.\d%\)/);
});

test('OpenHands states it in what it keeps beside the events', () => {
  const state = (llm: object) => ({
    id: 's1',
    agent: { llm },
    workspace: { working_dir: '/w' },
    execution_status: 'idle',
  });
  expect(stateMeta(state({ model: 'm', max_input_tokens: 128_000 })).contextWindow).toBe(128_000);
  for (const none of [null, 0, -1, '128000', 1.5]) {
    expect(stateMeta(state({ model: 'm', max_input_tokens: none })).contextWindow).toBeUndefined();
  }
});
