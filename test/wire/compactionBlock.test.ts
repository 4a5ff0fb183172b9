import { describe, expect, it } from 'vitest';
import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import { importText, MemoryTranscript } from '../../core/importers/memory.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { createMemo } from '../../core/view/memo.ts';
import { lintBody } from '../../core/wire/lintBody.ts';
import { bodyText, toWire } from '../../core/wire/toWire.ts';

const NONE = '{"type":"compaction","content":"S 1.0","signature":"c/s+g=","encrypted_content":null}';
const BLOCKS = [
  NONE,
  '{"type":"compaction", "content":"S\\u0041", "signature":"x","encrypted_content":null,"tool_changes":[]}',
  '{"signature":"x","tool_changes":[{"type":"tool_addition","tool":{"type":"tool_reference","name":"deploy"}}],"content":"S","type":"compaction"}',
  '{"type":"compaction","content":"S","signature":"x","cache_control":{"type":"ephemeral"}}',
];
const PLACES: readonly ((block: string) => string)[] = [
  (block) => `[{"role":"assistant","content":[${block}]},{"role":"user","content":"Go on."}]`,
  (block) => `[{"role":"user","content":[${block}]},{"role":"user","content":"Go on."}]`,
  (block) => `[{"role":"user","content":[${block},{"type":"text","text":"Go on."}]}]`,
  (block) =>
    `[{"role":"assistant","content":[${block}]},{"role":"assistant","content":"Done."},{"role":"user","content":"Next."}]`,
];

function sent(messages: string, ways: { readonly strict: boolean; readonly repair: boolean }) {
  const file = `{"model":"claude-opus-5-5","max_tokens":9,"betas":["compact-2026-09-04"],"messages":${messages}}`;
  const [transcript] = importText(Buffer.from(file)).transcripts;
  if (transcript === undefined) throw new Error('nothing was read');
  const source = MemoryTranscript.of(transcript);
  const stages = ways.repair ? [{ kind: 'hygiene', options: { profile: 'anthropic' } }] : [];
  const parsed = parseSpec({ version: 1, stages }, STAGES);
  if (!parsed.ok) throw new Error('the spec is valid');
  const memo = createMemo();
  const { view } = project(source, parsed.value.stages, source.length, { memo, sha256: nodeSha256 });
  const body = toWire(view, source, memo, 'anthropic', { meta: transcript.meta, strict: ways.strict });
  const findings = lintBody(body, (text) => nodeSha256().update(text).hex(), source);
  return { text: bodyText(body), findings: findings.filter(({ severity }) => severity === 'error') };
}

describe('a compaction block that was read and is written', () => {
  const ways = [
    { strict: false, repair: false },
    { strict: true, repair: false },
    { strict: true, repair: true },
  ];
  const rows = ways.flatMap((way) =>
    PLACES.flatMap((place) => BLOCKS.map((block) => [way, place(block), block] as const)),
  );
  it.each(rows)('%j %s', (way, messages, block) => {
    const { text, findings } = sent(messages, way);
    expect(text).toContain(block);
    expect(text.slice(text.indexOf('"messages":'))).toBe(`"messages":${messages}}\n`);
    expect(findings).toEqual([]);
  });

  it('loses a member that it never had under strict, and is told to have it otherwise', () => {
    const messages = PLACES[0]?.(NONE.replace('"encrypted_content":null', '"citations":null')) ?? '';
    expect(sent(messages, { strict: false, repair: false }).findings.map(({ code }) => code)).toEqual([
      'wire.compaction_edited',
    ]);
    expect(sent(messages, { strict: true, repair: false }).text).not.toContain('citations');
  });
});

describe('a compaction that a policy would make', () => {
  it.each([
    ['anthropic', { kind: 'anthropic_compaction', options: { mode: 'on_demand', ask_above: 1 } }, 'make and sign'],
    ['anthropic', { kind: 'anthropic_compaction', options: { trigger: 50_000 } }, 'only the API can make'],
    ['responses', { kind: 'openai_compaction', options: { compact_threshold: 1 } }, 'an encrypted compaction item'],
  ] as const)('for %s %j is told to be a text', (target, stage, words) => {
    const long = 'word '.repeat(60_000);
    const messages = [
      { role: 'user', content: long },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Next.' },
    ];
    const [transcript] = importText(Buffer.from(JSON.stringify({ max_tokens: 9, system: 's', messages }))).transcripts;
    if (transcript === undefined) throw new Error('nothing was read');
    const source = MemoryTranscript.of(transcript);
    const parsed = parseSpec({ version: 1, stages: [stage] }, STAGES);
    if (!parsed.ok) throw new Error('the spec is valid');
    const memo = createMemo();
    const { view } = project(source, parsed.value.stages, source.length, { memo });
    const body = toWire(view, source, memo, target, { meta: transcript.meta });
    expect(body.losses.filter(({ kind }) => kind === 'compaction').map(({ text }) => text)).toEqual([
      expect.stringContaining(words),
    ]);
    expect(bodyText(body)).not.toContain('"compaction"');
    expect(bodyText(body)).not.toContain('word word');
  });
});
