// What became of a message is told in the same words wherever it is told: the tooltip of its row, the drawer, the command
// line. Every preset and every stage by itself, over one conversation that meets every kind of fate.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { PRESETS } from '../../core/projection/presets.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { Row } from '../../core/protocol/types.ts';
import { fateReason, stageWord } from '../../renderer/drawer/words.ts';
import { runCli } from '../support/cli.ts';
import { COMPOSED_MESSAGES, COMPOSED_SPEC } from '../support/composedTranscript.ts';
import { tempDir } from '../support/tempLibrary.ts';
import { nextEvent, testEngine } from './support.ts';

/** What a stage cannot be without. */
const NEEDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  custom: { projector: '(messages) => messages.slice(2)' },
};
const alone = STAGES.stages.map(
  ({ kind }): ProjectionSpec => ({ version: 1, name: kind, stages: [{ kind, options: NEEDS[kind] ?? {} }] }),
);
const SPECS: readonly ProjectionSpec[] = [COMPOSED_SPEC, ...PRESETS.map(({ spec }) => spec), ...alone];

const Fate = z.object({
  kind: z.string(),
  rule: z.string().nullable(),
  reason: z.string(),
  parts: z.array(z.object({ part: z.number(), kind: z.string(), reason: z.string() })).optional(),
});
type Told = z.infer<typeof Fate>;
const Answer = z.object({ result: z.object({ fates: z.array(Fate) }) });

/** What the command line says of every message, a list a spec. */
async function toldByCommand(): Promise<readonly (readonly Told[])[]> {
  const lines = SPECS.map((spec, id) => JSON.stringify({ id, messages: COMPOSED_MESSAGES, spec }));
  const { stdout, stderr } = await runCli(['project', '--ndjson'], `${lines.join('\n')}\n`);
  expect(stderr).toBe('');
  const answers: readonly unknown[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return answers.map((answer) => Answer.parse(answer).result.fates);
}

/** An engine over the conversation, counted: until then figures in reasons would be estimates. */
async function counted() {
  const engine = testEngine();
  const { client } = engine;
  const count = nextEvent(client, 'job', (job) => job.kind === 'tokens' && job.state === 'done');
  const id = await engine.add('s.json', JSON.stringify({ messages: COMPOSED_MESSAGES }));
  await count;
  await client.call('transcript.open', { id });
  const ready = nextEvent(client, 'transcript', (event) => event.reason === 'counted');
  await client.call('projection.set', { id, spec: COMPOSED_SPEC, at: null });
  await ready;
  return { client, id };
}

/** The tooltip of a part's row: what its part's fate says, else its message's. */
function tooltipOf({ parts = [], reason }: Told, row: Row): string {
  return parts.find(({ part }) => part === row.part)?.reason ?? reason;
}

test('tooltip, drawer and command line tell a message’s fate in the same words', async () => {
  const said = await toldByCommand();
  const { client, id } = await counted();
  const kinds = new Set<string>();
  for (const [at, spec] of SPECS.entries()) {
    const name = spec.name ?? 'composed';
    const info = await client.call('projection.set', { id, spec, at: null, rows: { from: 0, to: 200 } });
    const { projectionId } = info;
    for (const row of info.rows?.rows ?? []) {
      const fate = said[at]?.[row.index];
      if (row.kind !== 'part' || fate === undefined || row.fate === 'kept') continue;
      expect(row.reason, `${name}: the row of #${row.index}, part ${row.part}`).toBe(tooltipOf(fate, row));
    }
    for (const [index, fate] of (said[at] ?? []).entries()) {
      kinds.add(fate.kind);
      const { fate: shown } = await client.call('projection.detail', { projectionId, index });
      const { kind, rule, reason } = shown;
      expect({ kind, rule, reason }, `${name}: #${index}`).toEqual({
        kind: fate.kind,
        rule: fate.rule,
        reason: fate.reason,
      });
    }
  }
  expect([...kinds].sort()).toEqual(['dropped', 'kept', 'merged', 'redacted', 'rewritten', 'summarised']);
});

test('stage by stage, drawer and command line say the same', async () => {
  const { client, id } = await counted();
  const { projectionId } = await client.call('projection.set', { id, spec: COMPOSED_SPEC, at: null });
  const file = join(tempDir(), 's.json');
  writeFileSync(file, JSON.stringify({ messages: COMPOSED_MESSAGES }));
  for (const index of [12, 15, 27]) {
    const { stages } = await client.call('projection.why', { projectionId, index });
    const { stdout } = await runCli(['why', file, '--message', `${index}`, '--spec', JSON.stringify(COMPOSED_SPEC)]);
    for (const word of stages) {
      const words = word.fate === null ? stageWord(word) : fateReason(word.fate).replace(/\.$/, '');
      expect(stdout, `#${index}, ${word.title}`).toContain(words);
    }
  }
});
