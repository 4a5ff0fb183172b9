// A sample of the law that `npm run scrub:table` runs over the corpora: sessions of several formats under every preset.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type ImportedTranscript, importText } from '../../core/importers/memory.ts';
import { jsonStrings } from '../../core/scrub/json.ts';
import { loadCounter } from '../../core/tokens/counters.ts';
import { comparedPresets, learned, scrubbedSource, subjectOf, totalTokens } from '../support/isomorphism.ts';

const FIXTURES = resolve(import.meta.dirname, '..', 'fixtures');
const FORMATS = ['claude-code', 'codex', 'anthropic-messages', 'openai-chat', 'gemini-cli', 'opencode'];
/** What the fixtures do not have; put behind the first word of every other text. */
const PLANTED = [
  '/home/mdnava/src/a.ts',
  'ghp_aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA2cD4',
  'mdnava@falcon-9:~/x$ ls',
  'DB_PASSWORD=hT5!kQ9zR2pW',
];

/** The longest fixture of a format. */
function longest(format: string): ImportedTranscript {
  const names = readdirSync(join(FIXTURES, format)).filter((name) => /\.jsonl?$/.test(name) && !/golden/.test(name));
  const all = names.flatMap((name) => importText(readFileSync(join(FIXTURES, format, name))).transcripts);
  const [found] = all.sort((one, other) => other.messages.length - one.messages.length);
  if (found === undefined) throw new Error(`${format} has no fixture`);
  return found;
}

function planted(transcript: ImportedTranscript): ImportedTranscript {
  let count = 0;
  const messages = transcript.messages.map(({ value: _, ...message }) => {
    const strings = jsonStrings(message.text).filter(({ isKey, start, end }) => {
      return !isKey && /^\w+ \w/.test(message.text.slice(start, end));
    });
    let text = message.text;
    for (const { start } of [...strings].reverse()) {
      if (count++ % 2 === 1) continue;
      const at = text.indexOf(' ', start);
      text = `${text.slice(0, at)} ${PLANTED[(count >> 1) % PLANTED.length]}${text.slice(at)}`;
    }
    return { ...message, text };
  });
  expect(count).toBeGreaterThan(1);
  return { ...transcript, messages };
}

test.each(FORMATS)(
  '%s: fates, kept messages, order and pointers are those of the original under every preset',
  async (format) => {
    const transcript = planted(longest(format));
    const counter = await loadCounter('o200k_base');
    const subject = subjectOf(transcript);
    const copy = scrubbedSource(learned(subject, counter), subject);
    expect(copy.length).toBe(subject.source.length);
    const [before, after] = [totalTokens(subject.source, counter), totalTokens(copy, counter)];
    expect(Math.abs(after - before)).toBeLessThanOrEqual(before * 0.02);
    let presets = 0;
    for await (const { name, differences } of comparedPresets(transcript, subject.source, copy)) {
      expect(differences, `${format} under ${name}`).toEqual([]);
      presets++;
    }
    expect(presets).toBeGreaterThan(20);
  },
);
