// Templates of secrets, filled and put where transcripts have them: what is found, and what is masked of clean lines.
import { findInJson } from '../../../core/scrub/json.ts';
import { type Rng, seededRng } from '../../../core/util/rng.ts';
import { isRecord, ownAt, stringAt } from '../../../core/util/unknown.ts';

const ALPHABETS: Readonly<Record<string, string>> = {
  AN: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  UP: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  HEX: '0123456789abcdef',
  D: '123456789',
  BECH: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
};

/** A filled template, and what of it was drawn by lot. */
export interface Filled {
  readonly text: string;
  readonly drawn: readonly string[];
}

export function fillTemplate(template: string, rng: Rng): Filled {
  const drawn: string[] = [];
  const text = template.replace(/\{([A-Z]+)(\d+)\}/g, (whole, name: string, count: string) => {
    if (name === 'DASH') return '-'.repeat(Number(count));
    const alphabet = ALPHABETS[name];
    if (alphabet === undefined) return whole;
    const made = Array.from({ length: Number(count) }, () => rng.pick([...alphabet])).join('');
    drawn.push(made);
    return made;
  });
  return { text, drawn };
}

/** Messages with a text in them: said, logged, as an argument, in a result that is JSON (once, twice escaped), in a diff, in a summary. */
export const EMBEDDINGS: Readonly<Record<string, (text: string) => unknown>> = {
  sentence: (text) => ({ role: 'user', content: `Please use ${text} for this, then tell me.` }),
  log: (text) => result(`2026-01-05T12:00:01Z INFO start\n2026-01-05T12:00:02Z DEBUG ${text}\nexit 0`),
  argument: (text) => ({
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't', name: 'write', input: { path: 'a.env', text: `first\n${text}\n` } }],
  }),
  'argument as text': (text) => ({
    role: 'assistant',
    tool_calls: [{ id: 't', function: { name: 'write', arguments: JSON.stringify({ text: `first\n${text}\n` }) } }],
  }),
  'result in JSON': (text) => result(JSON.stringify({ stdout: `line\n${text}\nline` })),
  'result in JSON, twice': (text) =>
    result(JSON.stringify({ result: JSON.stringify({ stdout: `line\n${text}\nline` }) })),
  diff: (text) => result(`--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-old\n+${text.replaceAll('\n', '\n+')}\n context`),
  summary: (text) => ({
    role: 'user',
    content: `Summary of the work:\n- it listens on 8080\n- noted: ${text}\n- next: tests`,
  }),
};

function result(content: string): unknown {
  return { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] };
}

/** Whether everything drawn is gone from the message once definite findings are masked. `drawn` below 10 characters is no secret by itself. */
export function isFound(message: unknown, { drawn }: Filled): boolean {
  const masked = maskedText(JSON.stringify(message));
  const secret = drawn.filter((one) => one.length >= 10);
  return (secret.length > 0 ? secret : drawn).every((one) => !masked.includes(one));
}

function maskedText(json: string): string {
  let masked = '';
  let last = 0;
  for (const { string, found } of findInJson(json)) {
    for (const one of found.filter(({ tier }) => tier === 'definite')) {
      masked += `${json.slice(last, string.start + one.from)}#`;
      last = string.start + one.to;
    }
  }
  return masked + json.slice(last);
}

/** What a file of secrets comes to. */
export interface SecretsOutcome {
  readonly found: number;
  readonly of: number;
  /** By kind and embedding: how many of the filled ones were missed. */
  readonly missed: ReadonlyMap<string, number>;
  readonly masked: readonly string[];
}

export function isSecretsFile(
  file: unknown,
): file is { readonly kinds: readonly unknown[]; readonly clean: readonly string[] } {
  return isRecord(file) && Array.isArray(ownAt(file, 'kinds')) && Array.isArray(ownAt(file, 'clean'));
}

/** Fills each template `times` times in each embedding. */
export function runSecrets(
  { kinds, clean }: { readonly kinds: readonly unknown[]; readonly clean: readonly string[] },
  times = 20,
  seed = 1,
): SecretsOutcome {
  const rng = seededRng(seed);
  const missed = new Map<string, number>();
  let [found, of] = [0, 0];
  for (const one of kinds) {
    const [kind, template] = isRecord(one) ? [stringAt(one, 'kind') ?? '', stringAt(one, 'template') ?? ''] : ['', ''];
    for (const [name, embed] of Object.entries(EMBEDDINGS)) {
      for (let nth = 0; nth < times; nth++) {
        const filled = fillTemplate(template, rng);
        of++;
        if (isFound(embed(filled.text), filled)) found++;
        else missed.set(`${kind}, ${name}`, (missed.get(`${kind}, ${name}`) ?? 0) + 1);
      }
    }
  }
  const masked = clean.flatMap((line) =>
    Object.entries(EMBEDDINGS).flatMap(([name, embed]) =>
      findInJson(JSON.stringify(embed(line))).length > 0 ? [`${line} (${name})`] : [],
    ),
  );
  return { found, of, missed, masked };
}
