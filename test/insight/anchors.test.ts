import { describe, expect, it } from 'vitest';
import { anchorsOf } from '../../core/insight/anchors/anchors.ts';
import { anchorFinder, distinctAnchors } from '../../core/insight/anchors/finder.ts';
import { anchorWeight, isCommon } from '../../core/insight/anchors/table.ts';
import { seededRng } from '../../core/util/rng.ts';

/** `kind text` of each anchor. */
function found(text: string): readonly string[] {
  return anchorsOf(text).map((anchor) => `${anchor.kind} ${anchor.text}`);
}

const FORMS: readonly (readonly [string, readonly string[]])[] = [
  ['Read src/login.ts and stop.', ['path src/login.ts']],
  ['.\\references\\analyze.md', ['path references/analyze.md']],
  ['references\\\\analyze.md', ['path references/analyze.md']],
  ['C:\\Users\\me\\repo', ['path C:/Users/me/repo']],
  ['./src/a.ts:12:5', ['path src/a.ts']],
  ['../up/one', ['path ../up/one']],
  ['/etc/hosts, ~/notes', ['path /etc/hosts', 'path ~/notes']],
  ['@scope/pkg', ['path @scope/pkg']],
  ['core/view and/or yes/no', ['path core/view']],
  ['on 3/4 of 2026/02/01', ['number 2026']],
  ['if (a == "suzu\\t45")', ['quoted suzu\\t45']],
  ['README.md .env package.json', ['path README.md', 'path .env', 'path package.json']],
  ['see https://a.example/x?y=1&z=2.', ['url https://a.example/x?y=1&z=2']],
  ['(http://a.example/)', ['url http://a.example']],
  [
    'snake_case camelCase PascalCase HTTPServer',
    ['identifier snake_case', 'identifier camelCase', 'identifier PascalCase', 'identifier HTTPServer'],
  ],
  ['fs.promises.readFile std::vec::Vec', ['identifier fs.promises.readFile', 'identifier std::vec::Vec']],
  [
    'JSON.parse(a) Object.keys this.state',
    ['identifier JSON.parse', 'identifier Object.keys', 'identifier this.state'],
  ],
  ['process.env process.ts Map.java', ['identifier process.env', 'path process.ts', 'path Map.java']],
  ['größe_max', ['identifier größe_max']],
  ['foo-bar foo-bar-baz gpt-5', ['identifier foo-bar-baz', 'identifier gpt-5']],
  ['NODE_ENV $HOME %APPDATA%', ['env NODE_ENV', 'env HOME', 'env APPDATA']],
  ['--max-turns=30 -rf - x', ['flag --max-turns', 'flag -rf']],
  ['v1.2 1.2.3 ^4.0.1-rc.1', ['version v1.2', 'version 1.2.3', 'version 4.0.1-rc.1']],
  ['abc1234 deadbeef 1234567', ['hash abc1234', 'number 1234567']],
  ['550e8400-e29b-41d4-a716-446655440000 JIRA-12', ['id 550e8400-e29b-41d4-a716-446655440000', 'id JIRA-12']],
  ['TS2345 ENOENT ERR_BAD EVERY', ['error TS2345', 'error ENOENT', 'error ERR_BAD']],
  ['12 404 16k 30% 35,743 3.5', ['number 404', 'number 16k', 'number 30%', 'number 35743']],
  ["say \"use  client\" and 'no' and don't", ['quoted use client']],
  ['`npm test` “so wird es”', ['quoted npm test', 'quoted so wird es']],
  ['"src/a.ts"', ['path src/a.ts']],
  ['读取src/a.ts文件', ['path src/a.ts']],
  ['The APIs of a text, e.g. this one. Done', []],
  ['me@example.org pkg@1.2.3', ['id me@example.org', 'version 1.2.3']],
];

describe('anchors are told by their form', () => {
  it.each(FORMS)('%s', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it('stand where they say', () => {
    for (const [text] of FORMS) {
      for (const { kind, text: named, from, to } of anchorsOf(text)) {
        expect([from >= 0, to <= text.length, to > from]).toEqual([true, true, true]);
        if (kind === 'identifier') expect(text.slice(from, to)).toBe(named);
      }
    }
  });

  it('take no time that grows faster than the text', () => {
    const hostile = [
      '"',
      '" ',
      'a/',
      'http://',
      'a://',
      '1,234',
      'x=y:',
      "'ab cd ",
      'A_',
      '-a',
      './',
      'a1 ',
      '::',
      'é.',
    ];
    for (const piece of hostile) {
      const started = performance.now();
      anchorsOf(piece.repeat(Math.ceil(300_000 / piece.length)));
      expect(performance.now() - started, piece).toBeLessThan(3000);
    }
  });

  it('are read of any text', () => {
    const rng = seededRng(7);
    const signs = [...'ab9_-./\\:@$%=+"\' \nÄ漢😀', '://', '::', '1,234'];
    for (let n = 0; n < 2000; n++) {
      const text = Array.from({ length: rng.below(20) }, () => rng.pick(signs)).join('');
      for (const { from, to } of anchorsOf(text))
        expect(to <= text.length && from < to, JSON.stringify(text)).toBe(true);
    }
  });
});

describe('what an anchor proves', () => {
  it.each([
    [1, 1000, false],
    [7, 10, false],
    [8, 100, true],
    [8, 160, false],
    [50, 1000, false],
    [51, 1000, true],
  ])('%i of %i parts: common %s', (parts, of, common) => {
    expect(isCommon(parts, of)).toBe(common);
    expect(anchorWeight(parts, of)).toBeCloseTo(common ? 0 : Math.log(of / parts));
  });
});

describe('anchors are found again', () => {
  const anchors = distinctAnchors(anchorsOf('src/login.ts camelCase 35,743 "two words" camelCase'));
  const finder = anchorFinder(anchors);
  const named = (text: string): readonly string[] => {
    const positions = new Set<number>();
    if (finder.mayStandIn(JSON.stringify({ text }))) finder.addFound(text, positions);
    return [...positions].map((at) => anchors[at]?.text ?? '');
  };
  it.each([
    ['open src\\login.ts', ['src/login.ts']],
    ['open app/src/login.ts', []],
    ['open src/login.tsx', []],
    ['camelCaseToo', []],
    ['camelCase.too camelCase', ['camelCase']],
    ['took 35743 ms', ['35743']],
    ['took 135,743 ms', []],
    ['these are two\n words, said again', ['two words']],
    ['network words two wordsmith', []],
  ])('in %s', (text, expected) => {
    expect(named(text)).toEqual(expected);
  });
});
