// That the engine calls whoever limits garbage: when the chart of a long session begins and ends, and not for a short one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openEngine } from '../../core/engine/inProcess.ts';
import { importAndCount, wholeSeries } from '../bench/engineCalls.ts';
import { tempDir } from '../support/tempLibrary.ts';

async function callsOfChart(messages: number): Promise<readonly string[]> {
  const dir = tempDir();
  const path = join(dir, 'session.jsonl');
  const lines = Array.from({ length: messages }, (_, at) => {
    const [uuid, role] = [`m${at}`, at % 2 === 0 ? 'user' : 'assistant'];
    const parentUuid = at === 0 ? null : `m${at - 1}`;
    return JSON.stringify({ type: role, uuid, parentUuid, sessionId: 's', message: { role, content: `word ${at}` } });
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
  const calls: string[] = [];
  const garbage = { begin: () => void calls.push('begin'), end: () => void calls.push('end') };
  const opened = openEngine(join(dir, 'library'), { garbage });
  if (!opened.ok) throw new Error(opened.error.text);
  onTestFinished(() => opened.value.dispose());
  const client = opened.value.connect();
  const id = await importAndCount(client, path);
  await client.call('transcript.open', { id });
  const { callPoints } = await wholeSeries(client, id, 'clean_tool_repair');
  expect(callPoints).toBeGreaterThanOrEqual(messages / 2);
  return calls;
}

it('a chart of 20,000 messages says when it begins and ends, one of 200 does not', async () => {
  expect(await callsOfChart(20_000)).toEqual(['begin', 'end']);
  expect(await callsOfChart(200)).toEqual([]);
});
