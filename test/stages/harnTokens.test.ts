import { describe, expect, it } from 'vitest';
import { identifiersInJson, rootTokensInJson } from '../../core/stages/harn/references.ts';
import { identifiersIn, type TokenSink, tokenHash, tokensIn } from '../../core/stages/harn/tokens.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { looksLikeIdentifier, tokens } from '../oracle/reachability.ts';

const SEED = Number(process.env.PARALLAX_SEED ?? 4_117);

function collect(run: (sink: TokenSink) => void): string[] {
  const found: string[] = [];
  run((text, from, to, hash) => {
    expect(hash).toBe(tokenHash(text, from, to));
    found.push(text.slice(from, to));
  });
  return found;
}

describe('tokens', () => {
  it.each([
    ['see src/a.rs, line 3.', ['see', 'src/a.rs', 'line', '3']],
    ['std::vec::Vec: `x`', ['std::vec::Vec', 'x']],
    ['...', []],
    ['C:\\dir\\f.txt', ['C:\\dir\\f.txt']],
    ['größer #12 "q"', ['gr', 'er', '#12', 'q']],
    ['./rel ../up', ['/rel', '/up']],
    ['', []],
  ])('%j → %j', (text, expected) => {
    expect(collect((sink) => tokensIn(text, sink))).toEqual(expected);
  });
});

describe('identifiers', () => {
  it.each([
    ['#12', true],
    ['#1', false],
    ['#1a', false],
    ['a/b', true],
    ['a\\b', true],
    ['a::b', true],
    ['a:b', false],
    ['abc1234', true],
    ['abc123', false],
    ['deadbeef', true],
    ['f'.repeat(64), true],
    ['f'.repeat(65), false],
    ['8f14e45f-ea5e-4dab-8c71-6f589afb8e17', true],
    ['8f14e45f-ea5e-4dab-8c71-6f589afb8e1', false],
    ['main.rs', true],
    ['3.14', true],
    ['file.extension', false],
    ['snake_case', true],
    ['a_b_c', false],
    ['camelCase', true],
    ['Foo', false],
    ['lower', false],
    ['UPPER', false],
    ['ab', false],
  ])('%s → %s', (token, expected) => {
    expect(collect((sink) => identifiersIn(token, sink)).length === 1).toBe(expected);
  });

  it('agrees with the regular expressions on random texts', () => {
    const rng = seededRng(7);
    const alphabet = [...'aBcF09_-./\\:# é😀,"', ...'abcdefABCDEF0123456789'];
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: rng.below(48) }, () => rng.pick(alphabet)).join('');
      const label = `round ${round}: ${JSON.stringify(text)}`;
      expect(
        collect((sink) => tokensIn(text, sink)),
        label,
      ).toEqual(tokens(text));
      expect(
        collect((sink) => identifiersIn(text, sink)),
        label,
      ).toEqual(tokens(text).filter(looksLikeIdentifier));
    }
  });
});

describe('references in JSON', () => {
  it.each([
    ['reference fields count whatever they look like', '{"path":"widget","title":"widget"}', ['widget']],
    ['lists hand their field on', '{"ids":["a","b"],"tags":["c"]}', ['a', 'b']],
    ['objects do not', '{"id":{"title":"a"}}', []],
    [
      'numbers under reference fields, exactly',
      '{"issue_number":12345678901234567890,"count":7}',
      ['12345678901234567890'],
    ],
    ['other strings by their looks', '{"note":"see src/a.ts please"}', ['src/a.ts']],
    ['the envelope is mute about itself', '{"_harn":{"kind":"tool_result","schema":"agent.v1","path":"p"}}', ['p']],
    ['kind elsewhere counts', '{"data":{"kind":"CustomerRecord"}}', ['CustomerRecord']],
    ['endings', '{"a_id":"1","b_paths":["2"],"c_sha":"3","d_ref":"4","e_idx":"5"}', ['1', '2', '3', '4']],
    ['payloads name nothing', `{"data":"${'aB3/'.repeat(400)}"}`, []],
  ])('%s', (_name, json, expected) => {
    expect(collect((sink) => identifiersInJson(json, sink))).toEqual(expected);
  });

  it('leaves out what is muted at the root only', () => {
    const json = '{"type":"tool_result","data":{"type":"tool_result"}}';
    expect(collect((sink) => identifiersInJson(json, sink, new Set(['type'])))).toEqual(['tool_result']);
  });

  it('takes every token of a root, but nothing of the envelope', () => {
    const json = '{"role":"user","content":[{"text":"issue 12"}],"n":3,"_harn":{"a":"x"},"_harn_projection":{"b":"y"}}';
    expect(collect((sink) => rootTokensInJson(json, sink))).toEqual(['user', 'issue', '12', '3']);
  });

  // What a literal stands for is read where it stands: escapes within and between words, keys spelled otherwise, payloads.
  it('takes the tokens of what the strings of a root stand for', () => {
    const rng = seededRng(SEED);
    let [escaped, muted, payloads] = [0, 0, 0];
    for (let round = 0; round < 3000; round++) {
      const { json, values } = randomRoot(rng);
      const label = `PARALLAX_SEED=${SEED}, round ${round}: ${json}`;
      expect(
        collect((sink) => rootTokensInJson(json, sink)),
        label,
      ).toEqual(values.flatMap(tokens));
      if (/\\[u\\/]/.test(json)) escaped++;
      if (/_harn|_u005f/i.test(json)) muted++;
      if (json.length > 1024) payloads++;
    }
    expect(Math.min(escaped, muted, payloads)).toBeGreaterThan(50);
  });
});

const PIECES = ['word', 'a/b', 'C:\\x', '\\', '\n', '\t', '"', ' ', ':', '.', 'é', '\u0001', '1.5', '_harn', '-'];

interface RandomRoot {
  readonly json: string;
  /** The strings, and the numbers as they are printed, that no envelope holds, in order. */
  readonly values: readonly string[];
}

function randomRoot(rng: Rng): RandomRoot {
  const values: string[] = [];
  const value = (depth: number, isMuted: boolean): string => {
    const kind = rng.below(depth > 3 ? 4 : 7);
    if (kind === 0) {
      const digits = String(rng.below(1000));
      if (!isMuted) values.push(digits);
      return digits;
    }
    if (kind === 1) return rng.pick(['true', 'false', 'null']);
    if (kind < 4) {
      const isPayload = rng.below(20) === 0;
      const text = isPayload ? 'aB3/'.repeat(300) : words();
      if (!isMuted && !isPayload) values.push(text);
      return literal(text);
    }
    const length = rng.below(4);
    if (kind === 4) return `[${Array.from({ length }, () => value(depth + 1, isMuted)).join(', ')}]`;
    const members = Array.from({ length }, () => {
      const key = rng.pick(['role', 'content', '_harn', '_harness', 'x_harn', words()]);
      return `${literal(key)} : ${value(depth + 1, isMuted || key.startsWith('_harn'))}`;
    });
    return `{${members.join(', ')}}`;
  };
  const words = () => Array.from({ length: rng.below(8) }, () => rng.pick(PIECES)).join('');
  // Any character may be written as an escape, and a slash as two.
  const literal = (text: string) => {
    const how = rng.below(3);
    return JSON.stringify(text).replace(/[/_a]/g, (char) => {
      if (how === 0 || rng.below(3) > 0) return char;
      return char === '/' ? '\\/' : `\\u00${char.charCodeAt(0).toString(16)}`;
    });
  };
  return { json: value(0, false), values };
}
