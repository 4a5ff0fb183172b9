// The app gives the projection as a host is sent it: the same as `parallax project --acp`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lampJson } from '../e2e/support/session.ts';
import { runCli } from '../support/cli.ts';
import { failureOf, testEngine } from './support.ts';

it.each([
  ['raw', 9],
  ['clean_tool_repair', null],
] as const)('under %s', async (spec, at) => {
  const { client, add, dir } = testEngine();
  const id = await add('lamp.json', lampJson());
  await client.call('transcript.open', { id });
  const file = join(dir, 'cli.json');
  writeFileSync(file, lampJson());
  const place = at === null ? [] : ['--at', String(at)];
  const { stdout } = await runCli(['project', file, '--acp', '--spec', spec, ...place]);
  const { text } = await client.call('export.acp', { id, spec, at });
  expect(JSON.parse(text)).toEqual(JSON.parse(stdout));
  expect(JSON.parse(text).params.update.sessionUpdate).toBe('transcript_projected');
  expect((await failureOf(client.call('export.acp', { id, spec, at: 99 }))).code).toBe('transcript.no_such_place');
});
