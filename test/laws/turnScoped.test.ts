// The laws for a session with turn-scoped messages, tools that come and go and a setting between turns: under every preset,
// as it is and repaired for every wire, what is shown as sent is what is sent.
import { expect, it } from 'vitest';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { resolveBudget } from '../../core/projection/budgetSpec.ts';
import { PRESETS } from '../../core/projection/presets.ts';
import { project } from '../../core/projection/project.ts';
import { createMemo } from '../../core/view/memo.ts';
import { TARGETS, WIRE_TARGETS } from '../../core/wire/types.ts';
import { explanationFaults } from '../support/explained.ts';
import { checkProjection } from '../support/lawful.ts';
import { stagesOf } from '../support/projecting.ts';
import { sentTextFaults } from '../support/sentText.ts';
import { shownFaults } from '../support/shown.ts';

const words = (n: number) => 'word after word '.repeat(n).trim();
const between = (content: unknown, more: object = {}) => ({ role: 'system', content, ...more });

function turn(n: number): readonly unknown[] {
  const id = `toolu_${n}`;
  const found = n === 1 ? [{ type: 'tool_reference', tool_name: 'grep' }] : `${words(60)} ${n}`;
  const extra = [
    [between('Be brief from now on.')],
    [between([{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'read' } }])],
    [between([], { output_config: { effort: 'low' } })],
  ];
  return [
    { role: 'user', content: [{ type: 'text', text: `${words(8)} ${n}` }] },
    between([{ type: 'text', text: `${9 - n} calls left.` }], { clear_at: 'next_user_message' }),
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { path: `src/f${n}.ts` } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: found }] },
    ...(extra[n - 3] ?? []),
    { role: 'assistant', content: [{ type: 'text', text: `Done with ${n}.` }] },
  ];
}

const tool = (name: string, more: object = {}) => ({ name, input_schema: { type: 'object', properties: {} }, ...more });
const text = JSON.stringify({
  model: 'claude-opus-5-5',
  max_tokens: 99,
  tools: [tool('read'), tool('grep', { defer_loading: true })],
  messages: [...Array.from({ length: 7 }, (_, n) => turn(n)).flat(), { role: 'user', content: 'And now?' }],
});
const [transcript] = importText(text).transcripts;
if (transcript === undefined) throw new Error('the request is read as a transcript');
const source = MemoryTranscript.of(transcript);

it.each(PRESETS.map((preset) => [preset.name, preset] as const))('under %s', (_name, preset) => {
  const memo = createMemo();
  const budget = resolveBudget(preset.spec.budget, { own: 32_768 });
  for (const at of [8, 17, source.length]) {
    const plain = stagesOf(preset.spec);
    const faults = [...checkProjection(source, plain, at)];
    const { fates } = project(source, plain, at, { memo, sha256: nodeSha256, budget });
    faults.push(...explanationFaults(plain, fates));
    for (const target of [null, ...WIRE_TARGETS]) {
      const last = target === null ? [] : [{ kind: 'hygiene', options: { profile: TARGETS[target].profile } }];
      const stages = stagesOf({ version: 1, stages: [...preset.spec.stages, ...last] });
      const projection = project(source, stages, at, { memo, sha256: nodeSha256, budget });
      faults.push(...shownFaults(source, projection, memo));
      for (const wire of target === null ? WIRE_TARGETS : [target]) {
        const options = { meta: transcript.meta, strict: target !== null };
        faults.push(...sentTextFaults(source, projection, memo, wire, options));
      }
    }
    expect(faults).toEqual([]);
  }
});
