// Law: whatever is found can be masked so that the finished text searches clean, and stays as long as it was.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jsonStrings } from '../../core/scrub/json.ts';
import { Scrubber } from '../../core/scrub/scrubber.ts';
import { seededRng } from '../../core/util/rng.ts';
import { EMBEDDINGS, fillTemplate, isSecretsFile } from '../support/vectors/secrets.ts';

/** What is in the middle of a secret: each decodes to something else, or nearly. */
const INSIDE = [
  ...['%40', '%23', '%2F', '%25', '%3A', '%40%40', '%E2%82%AC', '%20', '%0A', '%7B', '%2525', '%2540', '%4j', '%'],
  ...['+', '&amp;', '\\u0040', '\\/', '$', '!', '~'],
];
const AROUND = [
  'postgres://app:{AN8}_{AN5}@db.example.net/x',
  'https://u:{AN3}_{AN2}@h.example.net/',
  'DB_PASSWORD={AN8}_{AN6}',
  '{"password":"{AN8}_{AN6}"}',
  'https://x.example.net/?token={AN20}_{AN12}&a=1',
  'Cookie: sid={AN20}_{AN12}; a=b',
  "curl -u 'app:{AN8}_{AN6}' https://x.example.net",
];

function left(json: string): { readonly written: string; readonly kinds: readonly string[] } {
  const scrubber = new Scrubber();
  scrubber.learn(json);
  const written = scrubber.mask(json);
  const kinds = jsonStrings(written).flatMap((string) =>
    scrubber.remaining(written.slice(string.start, string.end), string).map(({ kind }) => kind),
  );
  return { written, kinds };
}

describe('a stand-in is never found itself', () => {
  test('with escapes of addresses, of HTML and of code inside the secret', () => {
    const rng = seededRng(41);
    const faults: string[] = [];
    for (const inside of INSIDE) {
      for (const around of AROUND) {
        for (const embed of Object.values(EMBEDDINGS)) {
          const message = JSON.stringify(embed(fillTemplate(around, rng).text.replace('_', inside)));
          const { written, kinds } = left(message);
          expect(() => JSON.parse(written)).not.toThrow();
          if (kinds.length > 0) faults.push(`${kinds.join()}: ${message} → ${written}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  test('of all kinds that were made up', () => {
    const rng = seededRng(42);
    const faults: string[] = [];
    for (const name of ['madeUpKinds.json', 'unseenKinds.json']) {
      const file: unknown = JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'));
      if (!isSecretsFile(file)) throw new Error(`${name} has no kinds`);
      for (const one of file.kinds as readonly { readonly template: string }[]) {
        const embed = rng.pick(Object.values(EMBEDDINGS));
        const message = JSON.stringify(embed(fillTemplate(one.template, rng).text));
        const { kinds } = left(message);
        if (kinds.length > 0) faults.push(`${kinds.join()}: ${message}`);
      }
    }
    expect(faults).toEqual([]);
  });
});
