// Texts of a transcript go into Markdown, shell commands, queries and terminals: none can say more there than itself.
import { describe, expect, it } from 'vitest';
import { oneLine } from '../../cli/support/output.ts';
import { parseSpec } from '../../core/projection/parseSpec.ts';
import { project } from '../../core/projection/project.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { type BundleInput, bundleSums } from '../../core/report/bundle.ts';
import { bundleMarkdown } from '../../core/report/markdown.ts';
import { rawSlice } from '../../core/report/rawSlice.ts';
import { parseQuery } from '../../core/search/parseQuery.ts';
import { writtenValue } from '../../renderer/search/suggest.ts';
import { curlLine } from '../../renderer/wire/wireText.ts';

const NOW = { time: Date.UTC(2026, 10, 20, 12), zoneMinutes: 0 };

const HOSTILE = [
  'a | b',
  'line\nbreak',
  '<img src=x onerror=alert(1)>',
  '![x](http://evil.example/?q)',
  '[text](javascript:x)',
  '@everyone #1',
  '`code` ``` fence',
  '\\| already',
  '*em* _em_ {x}',
];

function hostile(text: string): BundleInput {
  const parsed = parseSpec(
    { version: 1, stages: [{ kind: 'clean_tool_repair' }, { kind: 'reachability_gc' }] },
    STAGES,
  );
  if (!parsed.ok) throw new Error(parsed.error[0]?.text);
  const source = rawSlice(['{"role":"user","content":"hello"}'], null);
  const projection = project(source, parsed.value.stages, 1);
  return {
    engineVersion: '0.1.0',
    transcript: { id: 't1', format: 'openai-chat', title: text },
    source,
    spec: { ...parsed.value.spec, name: text },
    projection: { ...projection, reports: projection.reports.map((one) => ({ ...one, title: text, summary: text })) },
    tokens: null,
  };
}

/** What is left of a Markdown text without what is escaped in it. */
const live = (markdown: string) => markdown.replace(/\\[^\sA-Za-z0-9]/g, '');

describe('the text for an issue tracker', () => {
  it.each(HOSTILE)('holds %j as text: in the heading, and in each cell of the table', (text) => {
    const input = hostile(text);
    const lines = bundleMarkdown(input, bundleSums(input), 'bug.json').split('\n');
    const rows = lines.filter((line) => line.startsWith('|'));
    expect(rows).toHaveLength(2 + input.projection.reports.length);
    for (const row of rows) expect(live(row).match(/\|/g)).toHaveLength(4);
    for (const line of [lines[0] ?? '', ...rows.slice(2)]) {
      expect(live(line).replace(/^###|\|/g, '')).not.toMatch(/[<>[\]`*_{}@!#]/);
    }
    expect(lines[1]).toBe('');
  });

  it('says that there are no stages, where a table would have no rows', () => {
    const input = hostile('plain');
    const bare = { ...input, projection: { ...input.projection, reports: [] } };
    const lines = bundleMarkdown(bare, bundleSums(bare), 'bug.json').split('\n');
    expect(lines.filter((line) => line.startsWith('|'))).toEqual([]);
    expect(lines).toContain('No stages: the transcript is sent as it is.');
  });

  it.each(HOSTILE)('holds a spec that says %j within its fence', (text) => {
    const input = hostile(text);
    const markdown = bundleMarkdown(input, bundleSums(input), 'bug.json');
    const [, fence = '', block = ''] = /\n(`{3,})json\n([\s\S]*?)\n\1\n/.exec(markdown) ?? [];
    const longest = Math.max(0, ...[...block.matchAll(/`+/g)].map(([run]) => run.length));
    expect(fence.length).toBeGreaterThan(longest);
    expect(JSON.parse(block)).toEqual(input.spec);
  });
});

describe('a command to copy', () => {
  it.each(['request.json', 'a b.json', "it's.json", '$(touch x).json', 'a;b.json', '`x`.json'])(
    'has %s as one word',
    (file) => {
      const line = curlLine({ target: 'openai', url: 'https://api.openai.com/v1/chat/completions' }, file);
      const word = line.slice(line.indexOf('--data-binary @') + '--data-binary @'.length);
      const isQuoted = /^'(?:[^']|'\\'')*'$/.test(word);
      expect(isQuoted || /^[\w./-]+$/.test(word)).toBe(true);
      expect(isQuoted ? word.slice(1, -1).replaceAll("'\\''", "'") : word).toBe(file);
    },
  );
});

describe('a value taken from a suggestion', () => {
  it.each(['plain', 'two words', 'a(b)', 'say "x"', 'a OR b'])('%j is one value of its filter', (value) => {
    const { scopes, problems } = parseQuery(`project:${writtenValue(value)}`, NOW);
    expect(problems).toEqual([]);
    expect(scopes).toMatchObject([{ value: value.replaceAll('"', '').toLowerCase() }]);
  });
});

describe('a line for a terminal', () => {
  it.each(['\u001b[31mred', 'bell\u0007', 'a\nb\rc', '\u009b2J', 'del\u007f'])(
    'of %j has no control characters',
    (text) => {
      expect(oneLine(text)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      expect(oneLine(text)).not.toBe('');
    },
  );

  it('names characters that would turn it or hide in it', () => {
    expect(oneLine('over\u202edirr\u200b')).toBe('over<U+202E>dirr<U+200B>');
  });
});
