// Secrets planted at random places of real sessions: none is left in what is written, however it is decoded. Of each corpus file a
// few; PARALLAX_PLANTED=10000 plants as many.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { unpackZlib } from '../../core/engine/files/unpackZlib.ts';
import { importText } from '../../core/importers/memory.ts';
import { jsonStrings } from '../../core/scrub/json.ts';
import { Scrubber } from '../../core/scrub/scrubber.ts';
import { unescaped } from '../../core/scrub/views.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { filesBelow, sharedDir } from '../support/shared.ts';
import { fillTemplate } from '../support/vectors/secrets.ts';

const TEMPLATES = [
  'ghp_{AN36}',
  'sk-ant-api03-{AN93}AA',
  'npm_{AN36}',
  'AKIA{UP16}',
  'https://admin:{AN18}@db.example.net/x',
  'Authorization: Bearer {AN40}',
  'SERVICE_API_KEY={AN40}',
  '"clientSecret": "{AN32}"',
  'xoxb-{D12}-{D13}-{AN24}',
  'lin_api_{AN40}',
];

const WANTED = Number(process.env.PARALLAX_PLANTED ?? 400);
const dir = sharedDir();
const files = dir === null ? [] : filesBelow(`${dir}/corpus`);

/** The message with a text put in at a space of one of its longer strings, escaped as that place is. */
function planted(json: string, text: string, rng: Rng): string | null {
  const strings = jsonStrings(json).filter(({ start, end, isKey }) => !isKey && json.slice(start, end).includes(' '));
  if (strings.length === 0) return null;
  const { start, end } = rng.pick(strings);
  const spaces = [...json.slice(start, end).matchAll(/ /g)].map(({ index }) => start + index);
  const at = rng.pick(spaces);
  // Within JSON that is a text, quotes are escaped once more.
  const isNested = /^\s*[[{]/.test(json.slice(start, end)) && json.slice(start, end).includes('\\"');
  const once = JSON.stringify(text).slice(1, -1);
  const escaped = isNested ? JSON.stringify(once).slice(1, -1) : once;
  return `${json.slice(0, at)} ${escaped} ${json.slice(at)}`;
}

function decodedWhole(json: string): string {
  let text = json;
  let all = json;
  for (let depth = 0; depth < 4; depth++) {
    const view = unescaped(text);
    if (view === null) break;
    text = view.text;
    all += text;
  }
  return all;
}

describe.skipIf(files.length === 0)('planted secrets', () => {
  test('none is left', { timeout: 900_000 }, () => {
    const rng = seededRng(11);
    let count = 0;
    const left: string[] = [];
    for (const [nth, file] of files.entries()) {
      const share = Math.ceil((WANTED - count) / (files.length - nth));
      const [transcript] = importText(readFileSync(file), { unpack: unpackZlib }).transcripts;
      const texts = transcript?.messages.map(({ text }) => text).filter((text) => text.length < 200_000) ?? [];
      if (texts.length === 0) continue;
      for (let done = 0; done < share; done += 20) {
        const scrubber = new Scrubber();
        const written = Array.from({ length: Math.min(20, share - done) }, () => {
          const filled = fillTemplate(rng.pick(TEMPLATES), rng);
          return { filled, text: planted(rng.pick(texts), filled.text, rng) };
        }).filter(({ text }) => text !== null);
        for (const { text } of written) scrubber.learn(text ?? '');
        for (const { filled, text } of written) {
          count++;
          const decoded = decodedWhole(scrubber.mask(text ?? ''));
          if (filled.drawn.some((one) => one.length >= 16 && decoded.includes(one)))
            left.push(`${file}: ${filled.text}`);
        }
      }
    }
    console.log(`${count} planted, ${left.length} left`);
    expect(left).toEqual([]);
    expect(count).toBeGreaterThanOrEqual(Math.min(WANTED, 300));
  });
});
