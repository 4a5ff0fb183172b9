// A literal says the same as the JSON it was made of, in each language.
import { spawnSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { literalOf, PYTHON, TYPESCRIPT } from '../../core/reproduce/literals.ts';
import { PYTHON_COMMAND } from '../support/python.ts';

const NASTY: readonly unknown[] = [
  { __proto__x: 1, 'a-b': [true, false, null], class: {}, '': [] },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a text that is written into code
  ['\u2028\u2029\u202e\u0000\u001b\u007f\u200d', '😀\u{e0041}', '\ud800', 'it\'s "q" \\ ` ${x} \n\r\t', '</script>'],
  { deep: Array.from({ length: 30 }, (_, at) => ({ at, text: 'x'.repeat(at) })) },
  [1.5, -0.25, 12345678, 1e21],
];

const inTypescript = (json: string): unknown =>
  JSON.parse(JSON.stringify(runInNewContext(`(${literalOf(json, TYPESCRIPT)})`)));

test('TypeScript', () => {
  for (const value of NASTY) expect(inTypescript(JSON.stringify(value))).toEqual(value);
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(inTypescript(json)).toEqual(JSON.parse(json));
    }),
    { seed: 7, numRuns: 300 },
  );
});

test('a member named __proto__ is a member; escapes that only JSON knows, numbers as they were recorded', () => {
  const json = '{"__proto__":{"a":1},"s":"a\\/b\\ud83d\\ude00","n":1.0,"e":1E2,"big":12345678901234567890}';
  const value: unknown = runInNewContext(`(${literalOf(json, TYPESCRIPT)})`);
  expect(Object.keys(Object(value))).toEqual(['__proto__', 's', 'n', 'e', 'big']);
  for (const number of ['1.0', '1E2', '12345678901234567890']) {
    expect(literalOf(json, TYPESCRIPT)).toContain(number);
    expect(literalOf(json, PYTHON)).toContain(number);
  }
});

test('a literal holds no character that cannot be seen', () => {
  for (const style of [TYPESCRIPT, PYTHON]) {
    expect(literalOf(JSON.stringify(NASTY), style)).not.toMatch(/\u2028|\u202e|\u007f|\u200d|\u{e0041}/u);
  }
});

test.skipIf(PYTHON_COMMAND === null)('Python', () => {
  const values = [
    ...NASTY.slice(0, 3),
    ...fc.sample(
      fc.json().map((json): unknown => JSON.parse(json)),
      { seed: 7, numRuns: 100 },
    ),
  ];
  const script = `import ast, json, sys\nvalues = ast.literal_eval(sys.stdin.read())\nprint(json.dumps(values))`;
  const input = literalOf(JSON.stringify(values), PYTHON);
  const run = spawnSync(PYTHON_COMMAND ?? '', ['-c', script], { input, encoding: 'utf8' });
  expect(run.stderr).toBe('');
  expect(JSON.parse(run.stdout)).toEqual(JSON.parse(JSON.stringify(values)));
});
