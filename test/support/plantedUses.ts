// Uses planted into real sessions: small groups of messages put in where a turn begins, so that no call is torn from its
// result. What is planted is known, and so is what must not be told: decoys that only look like uses.
import type { UseKind } from '../../core/insight/uses/index.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';

/** A use, or what must not be taken for one. */
export interface Planted {
  readonly kind: UseKind;
  /** What the use's evidence holds. */
  readonly needle: string;
  /** Words that have to stand in the request for it; of a dangling stub those of the earlier result. */
  readonly text: string;
  readonly isWhole: boolean;
  readonly isDecoy: boolean;
  /** Index of the message that uses it; of a dangling stub that of the stub. */
  readonly at: number;
  readonly source: number;
}

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu zo'.split(' ');

class Words {
  readonly #rng: Rng;
  constructor(rng: Rng) {
    this.#rng = rng;
  }

  word(): string {
    return Array.from({ length: 3 + this.#rng.below(2) }, () => this.#rng.pick(SYLLABLES)).join('');
  }

  line(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(' ');
  }

  anchor(): string {
    const [a, b, n] = [this.word(), this.word(), 100 + this.#rng.below(900)];
    const upper = `${a}_${b}`.toUpperCase();
    const forms = [
      `src/${a}/${b}.ts`,
      `https://${a}.example/${b}/${n}`,
      `${upper}_${n}`,
      `${a}${b.charAt(0).toUpperCase()}${b.slice(1)}`,
      `${b.slice(0, 3).toUpperCase()}-${n}${n}`,
      `${a}_${b}`,
    ];
    return this.#rng.pick(forms);
  }
}

interface Group {
  readonly messages: readonly unknown[];
  /** Position within the group of the message that says it, or uses it. */
  readonly telling: number;
}

interface Pair {
  readonly kind: UseKind;
  readonly needle: string;
  readonly text: string;
  readonly isWhole?: boolean;
  readonly isDecoy?: boolean;
  readonly first: Group;
  readonly second: Group;
}

const user = (content: string) => ({ role: 'user', content });
const say = (content: string) => ({ role: 'assistant', content });
const said = (content: string): Group => ({ messages: [user(content)], telling: 0 });
const used = (content: string): Group => ({ messages: [user('go on'), say(content)], telling: 1 });

function called(id: string, name: string, args: unknown, result: string, telling: 1 | 2): Group {
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
  const messages = [
    user('go on'),
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: result },
  ];
  return { messages, telling };
}

const STUB =
  'File unchanged since last read. The earlier Read result in this conversation is still current; refer to that.';

function pairs(rng: Rng): readonly Pair[] {
  const words = new Words(rng);
  const id = (): string => `planted_${words.word()}${rng.below(1e6)}`;
  const anchor = words.anchor();
  const quote = words.line(12);
  const [longer, near, path, cmd, other, rule, stub] = [
    words.anchor(),
    words.line(12),
    `${words.word()}/${words.word()}.md`,
    `${words.word()} --${words.word()}-${words.word()}`,
    `${words.word()}/${words.word()}.md`,
    `gen/${words.word()}.ts`,
    `${words.word()}/${words.word()}.yaml`,
  ];
  const [body, stubbed] = [words.line(30), words.line(30)];
  const anchorUse = (text: string): Group => called(id(), 'open', { target: text }, words.line(2), 1);
  const read = (file: string, result: string, telling: 1 | 2): Group =>
    called(id(), 'Read', { file_path: file }, result, telling);
  const run = (telling: 1 | 2): Group => called(id(), 'run', { command: cmd }, `Error: ${words.line(4)}`, telling);
  const failed = run(2);
  const nearly = near
    .split(' ')
    .map((word, nth) => (nth % 3 === 2 ? words.word() : word))
    .join(' ');
  const mended = `${words.word()} --${words.word()}-${words.word()}`;
  const errorText = String((failed.messages[2] as { readonly content: string }).content);
  return [
    {
      kind: 'anchor',
      needle: anchor,
      text: anchor,
      isWhole: true,
      first: said(`see ${anchor} there`),
      second: anchorUse(anchor),
    },
    { kind: 'quote', needle: quote, text: quote, first: said(`note: ${quote}`), second: used(`So ${quote}.`) },
    { kind: 'reread', needle: path, text: body, first: read(path, body, 2), second: read(path, body, 1) },
    { kind: 'repeated_failure', needle: cmd, text: errorText, first: failed, second: run(1) },
    {
      kind: 'rule',
      needle: rule,
      text: `Never edit ${rule}, it is generated.`,
      first: said(`Never edit ${rule}, it is generated.`),
      second: called(id(), 'edit_file', { path: rule }, 'done', 1),
    },
    { kind: 'dangling', needle: STUB, text: stubbed, first: read(stub, stubbed, 2), second: read(stub, STUB, 2) },
    {
      kind: 'anchor',
      needle: longer,
      text: longer,
      isWhole: true,
      isDecoy: true,
      first: said(`see ${longer}x9 there`),
      second: anchorUse(longer),
    },
    {
      kind: 'quote',
      needle: near,
      text: near,
      isDecoy: true,
      first: said(`note: ${nearly}`),
      second: used(`So ${near}.`),
    },
    {
      kind: 'reread',
      needle: other,
      text: other,
      isDecoy: true,
      first: read(`a/${other}`, words.line(30), 2),
      second: read(`b/${other}`, words.line(30), 1),
    },
    {
      kind: 'rule',
      needle: rule,
      text: rule,
      isDecoy: true,
      first: said(`Always read ${rule} first.`),
      second: read(rule, words.line(9), 1),
    },
    {
      kind: 'repeated_failure',
      needle: mended,
      text: mended,
      isDecoy: true,
      first: called(id(), 'run', { command: mended }, `Error: ${words.line(4)}`, 2),
      second: called(id(), 'run', { command: mended }, words.line(9), 1),
    },
  ];
}

/** The messages with all of these put in, in order, and where they stand. `turns` = where turns begin. */
export function plant(
  texts: readonly string[],
  turns: readonly number[],
  seed: number,
): { readonly texts: readonly string[]; readonly planted: readonly Planted[] } {
  const rng = seededRng(seed);
  const places = [...turns, texts.length];
  const groups: { readonly place: number; readonly order: number; readonly group: Group; readonly pair: number }[] = [];
  const all = pairs(rng);
  for (const [pair, { first, second }] of all.entries()) {
    const from = rng.below(places.length);
    const to = from + rng.below(places.length - from);
    groups.push({ place: places[from] ?? 0, order: 0, group: first, pair });
    groups.push({ place: places[to] ?? texts.length, order: 1, group: second, pair });
  }
  groups.sort((a, b) => a.place - b.place || a.order - b.order || a.pair - b.pair);
  const out: string[] = [];
  const tells: number[][] = all.map(() => []);
  let next = 0;
  for (const { place, group, pair } of groups) {
    while (next < place) out.push(texts[next++] ?? '');
    tells[pair]?.push(out.length + group.telling);
    out.push(...group.messages.map((message) => JSON.stringify(message)));
  }
  while (next < texts.length) out.push(texts[next++] ?? '');
  const planted = all.map(({ kind, needle, text, isWhole = false, isDecoy = false }, pair) => {
    const [source = 0, at = 0] = tells[pair] ?? [];
    return { kind, needle, text, isWhole, isDecoy, at, source };
  });
  return { texts: out, planted };
}
