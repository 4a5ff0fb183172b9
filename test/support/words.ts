// Made-up text that behaves like real text where programs feel it: word frequencies fall off, lines come back, code has
// indents and punctuation, and lengths have a long tail.
import { type Rng, seededRng } from '../../core/util/rng.ts';

const COMMON =
  'the of to and in is it that for on with as this be are from by not or an at if we can has when which was will one all use file test so but no then code value line error run call set name type new list key data make first state path after should must only same into each two before return'.split(
    ' ',
  );
const STARTS = 'b c d f g h l m n p r s t v br cl cr dr fl gr pl pr sc sh sl sp st tr'.split(' ');
const MIDDLES = 'a e i o u ai ea ee io oo ou'.split(' ');
const ENDS = 'b ck d g l ll m n nd nt p r rd s ss st t x'.split(' ');
const WORDS = 3_000;
const SENTENCES = 3_000;
const CODE_LINES = 5_000;

/** Text of one seed. Every text has about `chars` characters, never more than 120 beyond. */
export interface TextSource {
  prose(chars: number): string;
  code(chars: number): string;
  /** An identifier in camel case, often seen before. */
  symbol(): string;
  hex(length: number): string;
  /** A length with this median and a long tail: `spread` is the σ of its logarithm. */
  length(median: number, spread: number, most: number): number;
}

/** A source of text; equal seeds give equal texts. Words, sentences and lines are made once and then picked. */
export function textSource(rng: Rng): TextSource {
  const pools = makePools(seededRng(rng.below(2 ** 31)));
  const fill = (chars: number, separator: string, line: () => string): string => {
    const lines: string[] = [];
    for (let made = 0; made < chars; ) {
      const next = line();
      lines.push(next);
      made += next.length + 1;
    }
    return lines.join(separator);
  };
  const hex = (length: number): string => {
    let out = '';
    while (out.length < length)
      out += rng
        .below(2 ** 28)
        .toString(16)
        .padStart(7, '0');
    return out.slice(0, length);
  };
  // One line in twelve is seen nowhere else: counts, times, hashes.
  const fresh = (): string =>
    `  [${rng.below(100_000)}] ${rng.pick(pools.words)} ${hex(12)} took ${rng.below(9_000)} ms`;
  return {
    hex,
    prose: (chars) => fill(chars, ' ', () => rng.pick(pools.sentences)),
    code: (chars) => fill(chars, '\n', () => (rng.below(12) === 0 ? fresh() : rng.pick(pools.lines))),
    symbol: () => rng.pick(pools.symbols),
    length(median, spread, most) {
      let normal = -6;
      for (let i = 0; i < 12; i++) normal += rng.next();
      return Math.min(most, Math.ceil(median * Math.exp(normal * spread)));
    },
  };
}

interface Pools {
  readonly words: readonly string[];
  readonly symbols: readonly string[];
  readonly sentences: readonly string[];
  readonly lines: readonly string[];
}

function makePools(rng: Rng): Pools {
  const syllable = () => rng.pick(STARTS) + rng.pick(MIDDLES) + (rng.chance(0.5) ? rng.pick(ENDS) : '');
  const rare = Array.from({ length: WORDS }, () => Array.from({ length: 1 + rng.below(3) }, syllable).join(''));
  // The n-th word comes up about as often as 1/n.
  const word = () => (rng.chance(0.5) ? rng.pick(COMMON) : rare[Math.floor(WORDS ** rng.next()) - 1]!);
  const phrase = (most: number) => Array.from({ length: 2 + rng.below(most) }, word).join(' ');
  const symbols = Array.from({ length: 600 }, () => rng.pick(rare) + capital(rng.pick(rare)));
  const sentences = Array.from(
    { length: SENTENCES },
    () => `${capital(phrase(18))}${rng.pick(['.', '.', ':', '?', ','])}`,
  );
  const name = () => rng.pick(symbols);
  const forms: readonly (() => string)[] = [
    () => `const ${name()} = await ${name()}(${name()}, ${rng.below(100)});`,
    () => `if (${name()}.${rng.pick(rare)} !== null) {`,
    () => `return { ${name()}, ${name()}: '${phrase(3)}' };`,
    () => `// ${capital(phrase(12))}.`,
    () => `import { ${name()} } from './${rng.pick(rare)}.ts';`,
    () => `expect(${name()}(${rng.below(1000)})).toBe("${rng.pick(rare)}");`,
    () => '}',
    () => '',
  ];
  const lines = Array.from({ length: CODE_LINES }, () => '  '.repeat(rng.below(5)) + rng.pick(forms)());
  return { words: rare, symbols, sentences, lines };
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
