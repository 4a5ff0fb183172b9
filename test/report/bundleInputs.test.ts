// A bundle whose stages count tokens, or use summaries, is the same elsewhere: it carries what they were given.
import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { bundleChunks } from '../../core/report/bundle.ts';
import type { BundleInputs } from '../../core/report/format.ts';
import { bundleInputs } from '../../core/report/inputs.ts';
import { rawSlice } from '../../core/report/rawSlice.ts';
import { type Bundle, readBundle } from '../../core/report/readBundle.ts';
import { verifyBundle } from '../../core/report/verify.ts';
import { createBudget } from '../../core/tokens/budget.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { overheadOf } from '../../core/tokens/overhead.ts';
import { countedTokens } from '../../core/view/countedTokens.ts';

const TURNS = 6;
const texts = Array.from({ length: TURNS }, (_, turn) => [
  `{"role":"user","content":"question ${turn}"}`,
  `{"role":"assistant","content":"","tool_calls":[{"id":"c${turn}","name":"read","arguments":{}}]}`,
  `{"role":"tool","tool_call_id":"c${turn}","content":"${'word '.repeat(200)}"}`,
  `{"role":"assistant","content":"answer ${turn}"}`,
]).flat();
const WRITTEN = { from: 0, to: 8, content: 'The first two questions.', version: 1, origin: 'written' } as const;
const LATER = { ...WRITTEN, to: 24, content: 'All of it.' };

const budget = createBudget({
  window: 1000,
  reserveOutput: 100,
  injectionReserve: 0,
  caps: { tool_result: { share: 0.5 }, user: { tokens: 500 } },
});
const inputs: BundleInputs = { tokenizer: 'cl100k_base', exact: false, images: 'gemini', budget };

async function bundleText(at: number, given = inputs): Promise<string> {
  const spec = { version: 1, stages: ['tool_result_retention', 'summary'] };
  const parsed = parseSpec(spec, STAGES);
  if (!parsed.ok) throw new Error(parsed.error[0]?.text);
  const source = rawSlice(texts, null, [], [WRITTEN, LATER]);
  const counter = await loadCounter(given.tokenizer);
  const tokens = countedTokens(source, { ...given, counter });
  const fits = given.budget && createBudget(given.budget);
  const projection = project(source, parsed.value.stages, at, { tokens, budget: fits });
  const transcript = { id: 't', format: 'openai-chat', title: 'T' };
  const chunks = bundleChunks({
    ...{ engineVersion: '0.1.0', transcript, source, projection, inputs: given },
    spec: parsed.value.spec,
    tokens: null,
  });
  return [...chunks].join('');
}

function read(text: string): Bundle {
  const bundle = readBundle(text);
  if (!bundle.ok) throw new Error(bundle.error.text);
  return bundle.value;
}

async function verify(text: string) {
  const bundle = read(text);
  const parsed = parseSpec(bundle.head.spec, STAGES);
  if (!parsed.ok) throw new Error(parsed.error[0]?.text);
  const given = await bundleInputs(bundle, loadCounter);
  return verifyBundle(bundle, project(bundle.source, parsed.value.stages, bundle.head.at, given), '0.2.0');
}

describe('a bundle whose stages count', () => {
  it('is the same elsewhere, and used its summary', async () => {
    const text = await bundleText(20);
    expect(text).toContain('The first two questions.');
    expect(await verify(text)).toMatchObject({ same: true, differences: [] });
  });

  it('differs if its budget, its tokenizer or a summary is another', async () => {
    const text = await bundleText(20);
    const changes = [
      text.replace('"window":1000', '"window":100000'),
      text.replace(/("origin":"written","to":\d+,"version":)1/, '$12'),
      text.replaceAll('The first two questions.', 'Something else.'),
    ];
    for (const changed of changes) {
      expect(changed).not.toBe(text);
      expect((await verify(changed)).same).toBe(false);
    }
  });

  it('carries what stood beside its messages; without it, as older versions wrote bundles, nothing did', async () => {
    const beside = overheadOf({ system: 300, tools: 200 }, 80);
    const text = await bundleText(20, { ...inputs, budget: createBudget({ ...budget, beside }) });
    expect(await verify(text)).toMatchObject({ same: true, differences: [] });
    expect((await bundleInputs(read(text), loadCounter)).budget).toMatchObject({ total: 900, room: 320 });
    const older = text.replace(/"beside":\{[^}]*\},/, '');
    expect(older).not.toBe(text);
    expect((await bundleInputs(read(older), loadCounter)).budget).toMatchObject({ room: 900 });
  });

  it('holds the summaries before the call point, and no others', async () => {
    expect(read(await bundleText(20)).source.summaries()).toEqual([WRITTEN]);
    expect(read(await bundleText(24)).source.summaries()).toEqual([WRITTEN, LATER]);
    expect(await bundleText(7)).not.toContain('"summaries"');
  });

  it('is damaged if a summary is none, or a tokenizer unknown', async () => {
    const text = await bundleText(20);
    for (const changed of [text.replace('"origin":"written"', '"origin":7'), text.replace('cl100k_base', 'mine')]) {
      expect(readBundle(changed)).toMatchObject({ ok: false, error: { code: 'bundle.broken' } });
    }
  });
});
