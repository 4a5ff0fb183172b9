import { describe, expect, it } from 'vitest';
import { importText } from '../../core/importers/memory.ts';
import { billedInputs, recordedCost, recordedInput, SessionSums } from '../../core/insight/money.ts';
import { Pricing } from '../../core/insight/pricing.ts';
import { requestRecord } from '../../core/insight/usage/records.ts';

const PRICING = Pricing.one({ price: { model: 'm', input: 1, cachedRead: 0.1, cacheWrite: 1.25 } });
const turn = (type: string, input: number, read = 0) => ({
  type,
  input_tokens: input,
  output_tokens: 5,
  cache_read_input_tokens: read,
});

function answered(usage: object, extra: object = {}) {
  const request = { model: 'claude-opus-4-6', max_tokens: 9, system: 's', messages: [{ role: 'user', content: 'a' }] };
  const response = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'b' }],
    usage,
    ...extra,
  };
  const [transcript] = importText(Buffer.from(JSON.stringify({ request, response }))).transcripts;
  const meta = transcript?.messages.at(-1)?.meta;
  if (meta?.usage === undefined) throw new Error('no usage was read');
  return { meta, usage: meta.usage };
}

describe('an answer that was billed for several requests', () => {
  const loop = answered({
    input_tokens: 300,
    output_tokens: 10,
    cache_read_input_tokens: 1000,
    iterations: [turn('message', 100, 400), turn('message', 200, 600)],
  });
  const threshold = answered({
    input_tokens: 23_000,
    output_tokens: 5,
    iterations: [turn('compaction', 180_000), turn('message', 23_000)],
  });
  const onDemand = answered({ input_tokens: 0, output_tokens: 0, iterations: [turn('compaction', 180_000)] });

  it('held what its first turn held, not the sum of all', () => {
    expect(recordedInput(loop.usage, false)?.total).toBe(500);
    expect(recordedInput(threshold.usage, false)?.total).toBe(23_000);
    expect(recordedInput(onDemand.usage, false)).toBeNull();
  });

  it('cost all of them', () => {
    const totals = (usage: typeof loop.usage) => billedInputs(usage, false)?.map(({ total }) => total);
    expect(totals(loop.usage)).toEqual([500, 800]);
    expect(totals(threshold.usage)).toEqual([180_000, 23_000]);
    expect(recordedCost(PRICING, [{ at: 0, usage: onDemand.usage }], false)?.total).toBeCloseTo(0.18);
    const sums = new SessionSums(PRICING);
    sums.add(0, billedInputs(threshold.usage, false), 0);
    expect(sums.cost.recorded).toBeCloseTo(0.203);
  });

  it('calibrates nothing where its prompt was not the history', () => {
    const record = ({ meta }: typeof loop) => requestRecord(1, meta, [], () => 7);
    expect(record(threshold)).toBeNull();
    expect(record(onDemand)).toBeNull();
    expect(record(loop)).toMatchObject({ at: 1, history: 7 });
  });

  it('is one request like any other where there was one turn', () => {
    const { usage } = answered({ input_tokens: 3, output_tokens: 5, iterations: [turn('message', 3)] });
    expect(usage).toEqual({ input: 3, output: 5 });
  });

  it('leaves out what another model was paid for', () => {
    const { usage } = answered({
      input_tokens: 3,
      output_tokens: 5,
      iterations: [turn('message', 3), turn('advisor_message', 9)],
    });
    expect(billedInputs(usage, false)?.map(({ total }) => total)).toEqual([3]);
  });

  it('tells which edits were applied to its context', () => {
    const applied_edits = [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 2, cleared_input_tokens: 230 }];
    const { meta } = answered({ input_tokens: 3 }, { context_management: { applied_edits } });
    expect(meta.appliedEdits).toEqual([{ type: 'clear_tool_uses_20250919', toolUses: 2, tokens: 230 }]);
  });
});

describe('a compaction that failed', () => {
  it('is no compaction, and its block goes back as it is', () => {
    const block = { type: 'compaction', content: null };
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [block, { type: 'text', text: 'b' }] },
    ];
    const [transcript] = importText(Buffer.from(JSON.stringify({ max_tokens: 1, messages }))).transcripts;
    expect(transcript?.compactions).toEqual([]);
    expect(transcript?.messages[1]?.text).toContain('"content":null');
  });
});
