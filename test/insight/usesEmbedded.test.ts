// What was said earlier is found wherever an assistant message puts it: between quotation marks, in code, in a string within
// the string of an argument. The same words with others in between are not.
import { describe, expect, it } from 'vitest';
import { RUN_LEAST } from '../../core/insight/uses/grams.ts';
import { usesOf } from '../../core/insight/uses/index.ts';
import { normaliseSpace } from '../../core/insight/uses/normalText.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { stagesOf, transcriptOf } from '../support/projecting.ts';
import { noHost } from '../support/textTrace.ts';

type Embed = (quote: string) => unknown;

const say = (content: string) => ({ role: 'assistant', content });
const call = (args: unknown) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'send', arguments: JSON.stringify(args) } }],
});
const escaped = (quote: string): string => JSON.stringify(quote).slice(1, -1);

const EMBEDDINGS: Readonly<Record<string, Embed>> = {
  'as it is': (quote) => say(`So: ${quote}, I think.`),
  'between quotation marks': (quote) => say(`You said "${quote}".`),
  'between single ones': (quote) => say(`You said '${quote}'.`),
  'between typographic ones': (quote) => say(`You said “${quote}”.`),
  'in a code fence': (quote) => say(`Here:\n\`\`\`text\n${quote}\n\`\`\`\n`),
  'in a list, with other line breaks': (quote) => say(`- ${quote.replaceAll('\n', '\r\n   ')}\n- more`),
  'as an argument': (quote) => call({ text: quote }),
  'in an argument, between quotation marks': (quote) => call({ command: `grep -F "${quote}" notes.md` }),
  'in the JSON of an argument': (quote) => call({ body: JSON.stringify({ note: quote, level: 3 }) }),
  'in the JSON of the JSON of an argument': (quote) =>
    call({ body: JSON.stringify({ inner: JSON.stringify([{ note: quote }]) }) }),
  'in the string of a program': (quote) => call({ code: `const note = "${escaped(quote)}";\nsend(note);\n` }),
  'in JSON in a code fence': (quote) => say(`\`\`\`json\n${JSON.stringify({ note: quote }, null, 2)}\n\`\`\``),
  'in broken JSON': (quote) => call({ body: `{"note": "${escaped(quote)}", "level": ` }),
};

function word(rng: Rng): string {
  return Array.from({ length: 3 + rng.below(7) }, () => String.fromCharCode(97 + rng.below(26))).join('');
}

const words = (rng: Rng, count: number): string => Array.from({ length: count }, () => word(rng)).join(' ');

const QUOTES: Readonly<Record<string, (rng: Rng) => string>> = {
  'a sentence': (rng) => words(rng, 12),
  'lines of less than the least length': (rng) => Array.from({ length: 5 }, () => words(rng, 3)).join('\n'),
  'words with tabs and line breaks': (rng) => `${words(rng, 4)}\n\t${words(rng, 4)}\r\n  ${words(rng, 4)}`,
  'Windows paths': (rng) =>
    `C:\\new\\${word(rng)}\\table\\${word(rng)}.txt and D:\\users\\${word(rng)}\\bin\\${word(rng)}`,
  'other scripts': (rng) => `${words(rng, 3)} – größer als das Überfließende, naïve 東京 ${words(rng, 4)}`,
};

function quotesOf(messages: readonly unknown[]) {
  const { uses } = usesOf({ source: transcriptOf(messages), stages: stagesOf('raw') }, noHost);
  return uses.filter(({ kind }) => kind === 'quote');
}

const plain = (text: string): string => normaliseSpace(text).trim();

describe.each(Object.entries(EMBEDDINGS))('a quote %s', (_embedding, embed) => {
  it.each(Object.entries(QUOTES))('of %s is a use, and what only looks like it is none', (_kind, make) => {
    for (let seed = 1; seed <= 6; seed++) {
      const rng = seededRng(seed);
      const quote = make(rng);
      const before = `${words(rng, 9)}: ${quote} ${words(rng, 9)}`;
      const found = quotesOf([
        { role: 'user', content: before },
        say('well'),
        { role: 'user', content: 'go on' },
        embed(quote),
      ]);
      expect(found.map(({ at, outcome }) => [at, outcome])).toEqual([[3, 'original']]);
      // What it says is said in the source, at the place told; and it is the quote but for a word at its ends.
      const [{ evidence = '', sources: [source] = [] } = {}] = found;
      expect(plain(before)).toContain(plain(evidence));
      expect(plain(before.slice(source?.from, source?.to))).toBe(plain(evidence));
      expect(plain(evidence).length).toBeGreaterThanOrEqual(Math.max(RUN_LEAST, plain(quote).length - 12));
      // Other words in between, so that no run is long enough.
      const near = quote.replace(/\S{3,}/g, (each, at: number) => (at % 3 === 0 ? each : word(rng)));
      const cut = near
        .split(' ')
        .flatMap((each, at) => (at % 2 === 0 ? [each] : [each, word(rng)]))
        .join(' ');
      const other = plain(before);
      if (
        Array.from({ length: plain(cut).length - RUN_LEAST + 1 }, (_, at) => plain(cut).slice(at, at + RUN_LEAST)).some(
          (run) => other.includes(run),
        )
      )
        continue;
      expect(quotesOf([{ role: 'user', content: before }, embed(cut)])).toEqual([]);
    }
  });
});

it('is told once: as the longest of what its readings say', () => {
  const [first, second] = [words(seededRng(3), 9), words(seededRng(4), 9)];
  const quote = `${first}\n${second}`;
  const found = quotesOf([{ role: 'user', content: quote }, call({ body: JSON.stringify({ quote }) })]);
  expect(found.map(({ evidence }) => evidence)).toEqual([quote]);
});
