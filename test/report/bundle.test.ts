import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { type BundleInput, bundleChunks, bundleSums } from '../../core/report/bundle.ts';
import { bundleMarkdown } from '../../core/report/markdown.ts';
import { rawSlice } from '../../core/report/rawSlice.ts';
import { type Bundle, readBundle } from '../../core/report/readBundle.ts';
import { verifyBundle } from '../../core/report/verify.ts';

// Texts that JSON.parse and JSON.stringify would change: 1.0, a big integer, key order, white space, an escape.
const MESSAGES = [
  '{"role":"user","content":"read a.ts please"}',
  '{ "role" : "assistant", "content": null, "tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\\"path\\":\\"a.ts\\"}"},"weight":1.0}]}',
  '{"tool_call_id":"c1","role":"tool","content":"error: no such file","big":12345678901234567890}',
  '{"role":"assistant","content":"","tool_calls":[{"id":"c2","type":"function","function":{"name":"read","arguments":"{}"}}]}',
  '{"role":"tool","tool_call_id":"c2","content":"caf\\u00e9\\n"}',
  '{"role":"assistant","content":"done"}',
];

function inputOf(spec: unknown, at = MESSAGES.length, texts: readonly string[] = MESSAGES): BundleInput {
  const parsed = parseSpec(spec, STAGES);
  if (!parsed.ok) throw new Error(parsed.error[0]?.text);
  const source = rawSlice(texts, null);
  return {
    engineVersion: '0.1.0',
    transcript: { id: 't1', format: 'openai-chat', title: 'Read *a* file' },
    source,
    spec: parsed.value.spec,
    projection: project(source, parsed.value.stages, at),
    tokens: null,
  };
}

const textOf = (input: BundleInput): string => [...bundleChunks(input)].join('');

function read(text: string): Bundle {
  const bundle = readBundle(text);
  if (!bundle.ok) throw new Error(`${bundle.error.code}: ${bundle.error.text}`);
  return bundle.value;
}

function verify(text: string) {
  const bundle = read(text);
  const parsed = parseSpec(bundle.head.spec, STAGES);
  if (!parsed.ok) throw new Error(parsed.error[0]?.text);
  return verifyBundle(bundle, project(bundle.source, parsed.value.stages, bundle.head.at), '0.2.0');
}

describe('a bundle of a compacted transcript', () => {
  const compactions = [
    { at: 3, preserved: [0], timestamp: '2026-01-02T03:04:05.000Z', trigger: 'auto' },
    { kind: 'replacement' as const, at: 4, replacement: ['{"role":"user","content":1.0}'] },
    { at: 6, trigger: 'manual' },
  ];
  const source = rawSlice(MESSAGES, null, compactions);
  const inputAt = (at: number): BundleInput => {
    const input = inputOf('recorded_compaction', at);
    const parsed = parseSpec('recorded_compaction', STAGES);
    if (!parsed.ok) throw new Error(parsed.error[0]?.text);
    return { ...input, source, projection: project(source, parsed.value.stages, at) };
  };

  it.each([2, 3, 4, 6])('is verified as the same elsewhere, before message %i', (at) => {
    expect(verify(textOf(inputAt(at)))).toMatchObject({ same: true, differences: [] });
  });

  it('holds the compactions before the call point, and no others', () => {
    expect(read(textOf(inputAt(4))).source.compactions()).toEqual(compactions.slice(0, 2));
    expect(textOf(inputAt(2))).not.toContain('"compactions"');
  });

  it('shows that a compaction was changed', () => {
    const changed = textOf(inputAt(4)).replace('"preserved":[0]', '"preserved":[1]');
    expect(verify(changed).differences.map(({ what }) => what)).toContain('raw slice');
  });

  it('is damaged if a compaction is none', () => {
    const broken = readBundle(textOf(inputAt(4)).replace('"preserved":[0]', '"preserved":"0"'));
    expect(broken).toMatchObject({ ok: false, error: { code: 'bundle.broken' } });
  });
});

describe('a bundle', () => {
  it.each([
    ['raw', 6],
    ['clean_tool_repair', 6],
    ['clean_tool_repair', 3],
    ['raw', 0],
    [{ policy: 'summary_prefix', keep_last: 2, summary: 'what went before' }, 6],
    [{ version: 1, stages: [{ kind: 'clean_tool_repair' }, { kind: 'summary_prefix', options: { keep_last: 1 } }] }, 6],
  ])('of %j before message %i is verified as the same elsewhere', (spec, at) => {
    const report = verify(textOf(inputOf(spec, at)));
    expect(report).toMatchObject({ same: true, differences: [], engineVersion: { bundle: '0.1.0', here: '0.2.0' } });
  });

  it('holds every message text exactly as it was', () => {
    const bundle = read(textOf(inputOf('raw')));
    expect(MESSAGES.map((_, index) => bundle.source.text(index))).toEqual(MESSAGES);
    expect(bundle.projected).toEqual(MESSAGES);
    expect(bundle.source.facts(2).parts[0]).toMatchObject({ kind: 'tool_result', isError: true });
  });

  it('has the same bytes each time, and a time stamp changes no hash', () => {
    const input = inputOf('clean_tool_repair');
    expect(textOf(input)).toBe(textOf(inputOf('clean_tool_repair')));
    const stamped = { ...input, createdAt: '2026-01-02T03:04:05Z' };
    expect(bundleSums(stamped)).toEqual(bundleSums(input));
    expect(read(textOf(stamped)).head.createdAt).toBe('2026-01-02T03:04:05Z');
    expect(verify(textOf(stamped)).same).toBe(true);
  });

  it('says in its first bytes what it is, with the big members last', () => {
    const text = textOf(inputOf('raw'));
    expect(text.startsWith('{"parallax":{"format":"parallax-bundle","version":2}')).toBe(true);
    expect(text.indexOf('"prefix_hash"')).toBeLessThan(text.indexOf('"raw":{'));
  });

  it('is written one message at a time', () => {
    const chunks = [...bundleChunks(inputOf('raw'))];
    expect(chunks.filter((chunk) => MESSAGES.includes(chunk))).toHaveLength(2 * MESSAGES.length);
  });

  it('survives any text in messages, title and summary', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 6 }),
        fc.string({ unit: 'binary' }),
        (texts, title) => {
          const messages = texts.map((content) => JSON.stringify({ role: 'user', content }));
          const input = inputOf('raw', messages.length, messages);
          const source = rawSlice(messages, title);
          const text = textOf({ ...input, source, transcript: { ...input.transcript, title } });
          expect(verify(text).same).toBe(true);
          expect(read(text).source.summary).toBe(title);
        },
      ),
      { seed: 20_261_120, numRuns: 200 },
    );
  });
});

describe('a tampered bundle', () => {
  const text = textOf(inputOf('clean_tool_repair'));

  it.each([
    ['a raw message', 'no such file', 'no such path', 'raw slice'],
    ['a projected message', /"done"\}\n\]\}\}/, '"gone"}\n]}}', 'stated prefix hash of the projected messages'],
    ['the stated hash', /"prefix_hash":"sha256:..../, '"prefix_hash":"sha256:ffff', 'prefix hash'],
    ['the stated raw hash', /"sha256":"sha256:..../, '"sha256":"sha256:ffff', 'raw slice'],
    ['a fate', '"kind":"dropped"', '"kind":"kept"', 'fate of message 1'],
    ['the spec', '"kind":"clean_tool_repair","options"', '"kind":"raw","options"', 'prefix hash'],
  ])('differs after a change of %s', (_what, from, to, said) => {
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    const report = verify(changed);
    expect(report.same).toBe(false);
    expect(report.differences.map((found) => found.what)).toContain(said);
  });

  it('tells the first differing message, and of it the differing place', () => {
    const long = `{"role":"user","content":"${'x'.repeat(5000)}END"}`;
    const whole = textOf(inputOf('raw', 2, [MESSAGES[0] ?? '', long]));
    const at = whole.lastIndexOf('END');
    const report = verify(`${whole.slice(0, at)}AND${whole.slice(at + 3)}`);
    const found = report.differences.find((each) => each.what === 'projected message 1');
    expect(found?.expected).toContain('AND');
    expect(found?.got).toContain('END');
    expect(found?.expected.length).toBeLessThan(400);
  });
});

describe('a file that is no sound bundle', () => {
  const text = textOf(inputOf('raw'));
  it.each([
    ['', 'bundle.not_json', 'not JSON'],
    ['hello', 'bundle.not_json', 'not JSON'],
    [text.slice(0, text.length - 40), 'bundle.not_json', 'cut short'],
    ['[]', 'bundle.foreign', 'no Parallax bundle'],
    ['{"messages":[]}', 'bundle.foreign', 'no Parallax bundle'],
    ['{"parallax":{"format":"other","version":1}}', 'bundle.foreign', 'no Parallax bundle'],
    ['{"parallax":{"format":"parallax-bundle","version":3}}', 'bundle.version', 'Update Parallax'],
    ['{"parallax":{"format":"parallax-bundle","version":1}}', 'bundle.broken', 'engineVersion'],
    [text.replace('"at":6', '"at":5'), 'bundle.broken', 'at is 5'],
    [text.replace('"raw":{', '"rew":{'), 'bundle.broken', 'raw.messages'],
    [text.replace('"role":"user","content":"read a.ts please"', ''), 'ok', ''],
    [text.replaceAll('{"role":"user","content":"read a.ts please"}', '7'), 'bundle.broken', 'raw.messages'],
  ])('%#: is refused with a reason', (given, code, said) => {
    const bundle = readBundle(given);
    expect(bundle.ok ? 'ok' : bundle.error.code).toBe(code);
    if (!bundle.ok) expect(bundle.error.text).toContain(said);
  });
});

describe('the summary for an issue tracker', () => {
  it('names transcript, hashes, fates and stages, and no text of it can break out', () => {
    const tokens = {
      tokenizer: 'o200k',
      raw: { total: 100, byCategory: { user: 100 }, provenance: 'exact' as const },
      projected: { total: 60, byCategory: { user: 60 }, provenance: 'exact' as const },
    };
    const input = { ...inputOf({ policy: 'clean_tool_repair', reason: 'a ``` fence' }), tokens };
    const sums = bundleSums(input);
    const markdown = bundleMarkdown(input, sums, 'bug.json');
    expect(markdown).toContain('### Read \\*a\\* file');
    expect(markdown).toContain(sums.prefixHash);
    expect(markdown).toContain('4 kept, 2 dropped');
    expect(markdown).toContain('tokens: 100 → 60 (o200k, exact; user 60)');
    expect(markdown).toContain('````json');
    expect(markdown).toContain('npm run parallax -- verify bug.json');
  });
});
