/** Token counting against js-tiktoken and gpt-tokenizer: the same text, the same run, the best of a few rounds. */
import { readFileSync } from 'node:fs';
import { Tiktoken } from 'js-tiktoken/lite';
import { createEncodingCounter, type EncodingCounter } from '../../core/tokens/counters.ts';
import { corpusFiles } from '../support/shared.ts';
import { loadPeer } from './peers.ts';
import type { BenchRow } from './types.ts';

const GROUP = 'tokens';
const PEER = 'gpt-tokenizer@4.0.0';
const TEXT_BYTES = 2_000_000;
const DOCUMENT_LENGTH = 50_000;
const RUN_BYTES = 1_000_000;
const ENCODINGS = ['o200k_base', 'cl100k_base'] as const;

/** js-tiktoken is quadratic in a piece: texts with long ones (rules, payloads) would measure nothing else. */
const LONG_PIECE = /\p{L}{40}|\s{40}|[^\s\p{L}\p{N}]{40}/u;

interface PeerEncoding {
  readonly encode: (text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }) => readonly number[];
  readonly countTokens: (text: string, options: { readonly disallowedSpecial: ReadonlySet<string> }) => number;
}

interface Contender {
  readonly name: string;
  readonly count: (text: string) => number;
}

/** String values of recorded transcripts, as a program counts them: messages, calls and results, not JSON syntax. */
function transcriptTexts(): readonly string[] {
  const texts: string[] = [];
  let bytes = 0;
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      if (bytes >= TEXT_BYTES || value.length > 100_000 || LONG_PIECE.test(value)) return;
      texts.push(value);
      bytes += Buffer.byteLength(value);
    } else if (typeof value === 'object' && value !== null) {
      for (const inner of Object.values(value)) collect(inner);
    }
  };
  const files = ['codex', 'claude-code'].map((format) => corpusFiles(format).filter((path) => path.endsWith('.jsonl')));
  for (let n = 0; bytes < TEXT_BYTES && files.some((list) => n < list.length); n++) {
    for (const list of files) {
      const path = list[n];
      if (!path || path.includes('/large/')) continue;
      for (const line of readFileSync(path, 'utf8').split('\n')) if (line.startsWith('{')) collect(JSON.parse(line));
    }
  }
  return texts;
}

/** The texts joined to documents: js-tiktoken compiles its pattern at each call, which short texts would only measure. */
function documentsOf(texts: readonly string[]): readonly string[] {
  const documents: string[] = [];
  let current = '';
  for (const text of texts) {
    current += `${text}\n`;
    if (current.length < DOCUMENT_LENGTH) continue;
    documents.push(current);
    current = '';
  }
  return [...documents, current];
}

function seconds(run: () => void): number {
  const start = performance.now();
  run();
  return (performance.now() - start) / 1000;
}

/** MB/s of each contender over all texts, the best of `rounds`, taking turns; and the counts, which must agree. */
function race(contenders: readonly Contender[], texts: readonly string[], rounds: number): Map<string, number> {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const best = new Map<string, number>();
  const totals = new Set<number>();
  for (let round = 0; round < rounds; round++) {
    for (const { name, count } of contenders) {
      let total = 0;
      const rate =
        bytes /
        1e6 /
        seconds(() => {
          for (const text of texts) total += count(text);
        });
      totals.add(total);
      best.set(name, Math.max(best.get(name) ?? 0, rate));
    }
  }
  if (totals.size > 1) throw new Error(`the contenders disagree: ${[...totals].join(', ')}`);
  return best;
}

async function contendersFor(id: EncodingCounter['id'], ours: EncodingCounter): Promise<readonly Contender[]> {
  const ranks = (await import(`js-tiktoken/ranks/${id}`)).default;
  const tiktoken = new Tiktoken(ranks);
  const peer = await loadPeer<PeerEncoding>(PEER, `encoding/${id}`);
  const plain = { disallowedSpecial: new Set<string>() };
  return [
    { name: 'parallax', count: ours.count },
    { name: 'js-tiktoken', count: (text) => tiktoken.encode(text, [], []).length },
    { name: 'gpt-tokenizer', count: (text) => peer.countTokens(text, plain) },
  ];
}

function textRows(what: string, rates: ReadonlyMap<string, number>, note: string): BenchRow[] {
  const ours = rates.get('parallax') ?? 0;
  return [...rates].map(([name, value]) => {
    const row = { group: GROUP, name: `${what}, ${name}`, value, unit: 'MB/s', note };
    if (name === 'parallax') return row;
    const least = name === 'js-tiktoken' ? 5 : 1;
    const ratio = ours / value;
    return { ...row, ratio, against: name, aim: `parallax ≥ ${least} × ${name}`, ok: ratio >= least };
  });
}

/** One long piece of one character: the work a byte takes beside that of prose. */
function runRows(ours: EncodingCounter, prose: number): BenchRow[] {
  return ['a', '=', ' ', '\n', '中'].map((unit) => {
    const text = unit.repeat(Math.floor(RUN_BYTES / Buffer.byteLength(unit)));
    ours.count(text);
    const value = Math.min(...[0, 1, 2].map(() => seconds(() => ours.count(text))));
    return {
      group: GROUP,
      name: `${ours.id}, 1 MB of ${JSON.stringify(unit)}`,
      value: value * 1000,
      unit: 'ms',
      aim: '< 2000 ms',
      ok: value < 2,
      note: `${(value * prose).toFixed(1)} × the time of prose`,
    };
  });
}

/** Loading, throughput on transcript text beside the peers, and 1 MB runs of one character, for both encodings. */
export async function benchTokens(): Promise<BenchRow[]> {
  const texts = transcriptTexts();
  if (texts.length === 0)
    return [{ group: GROUP, name: 'skipped', value: 0, unit: '', note: 'no corpus to measure on' }];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const note = `${texts.length} strings, ${(bytes / 1e6).toFixed(1)} MB, no piece over 40 characters`;
  const documents = documentsOf(texts);
  const rows: BenchRow[] = [];
  for (const id of ENCODINGS) {
    const ranks = (await import(`js-tiktoken/ranks/${id}`)).default;
    let ours: EncodingCounter | null = null;
    const load = seconds(() => {
      ours = createEncodingCounter(id, ranks);
    });
    if (!ours) throw new Error('no counter');
    rows.push({
      group: GROUP,
      name: `${id}, build from ranks`,
      value: load * 1000,
      unit: 'ms',
      aim: '< 250 ms',
      ok: load < 0.25,
    });
    const contenders = await contendersFor(id, ours);
    const rates = race(contenders, documents, 3);
    rows.push(...textRows(`${id}, transcript text in documents`, rates, note));
    const quick = contenders.filter(({ name }) => name !== 'js-tiktoken');
    rows.push(...textRows(`${id}, transcript text string by string`, race(quick, texts, 5), note));
    rows.push(...runRows(ours, rates.get('parallax') ?? 0));
  }
  return rows;
}
