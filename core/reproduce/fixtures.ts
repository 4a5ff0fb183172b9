// A bundle as a test: the file holds the policy under test, and the bundle or its name; "parallax verify" projects the bundle's
// messages under that policy and compares every message, outcome and pointer with what is recorded.
import { importLine, literalOf, PYTHON, TYPESCRIPT } from './literals.ts';
import { callWords, oneLine, type RequestAbout } from './request.ts';

/** What a fixture is made of. */
export interface FixtureInput {
  readonly about: RequestAbout;
  /** As JSON text: what the bundle was made under. */
  readonly specJson: string;
  /** Text of the bundle, which the file then holds; or the name of a file beside it. */
  readonly bundle: { readonly text: string } | { readonly file: string };
  /** As the bundle states it. */
  readonly prefixHash: string;
}

const HOW = [
  'The messages are projected again under SPEC, and compared with those recorded when this file was made: texts, outcomes,',
  'order, pointers. It fails when SPEC is changed so that the request is another one, and when Parallax decides otherwise.',
  'PARALLAX is the command line of Parallax: "parallax", or "node PATH/cli/main.ts" of a checkout.',
];

/** A test file for vitest. */
export function vitestFixture(input: FixtureInput): string {
  const { bundle } = input;
  const isInside = 'text' in bundle;
  const source = isInside
    ? `const BUNDLE = ${linesLiteral(bundle.text, TYPESCRIPT.string, '  ')}.join('\\n');`
    : `const BUNDLE = readFileSync(new URL(${JSON.stringify(encodeURI(`./${bundle.file}`))}, import.meta.url), 'utf8');`;
  const imports = [
    importLine('{ spawnSync }', 'node:child_process'),
    ...(isInside ? [] : [importLine('{ readFileSync }', 'node:fs')]),
    importLine('{ expect, test }', 'vitest'),
  ];
  return `${commentOf(input, '//')}
${imports.join('\n')}

const SPEC = ${literalOf(input.specJson, TYPESCRIPT)};

${source}

test(${JSON.stringify(titleOf(input))}, () => {
  const [command = '', ...words] = (process.env.PARALLAX ?? 'parallax').split(' ');
  const args = [...words, 'verify', '-', '--spec', JSON.stringify(SPEC), '--json'];
  const run = spawnSync(command, args, { input: BUNDLE, encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (run.error) throw run.error;
  expect([0, 1], run.stderr).toContain(run.status);
  const { differences, prefixHash } = JSON.parse(run.stdout);
  expect(differences).toEqual([]);
  expect(prefixHash).toBe(${JSON.stringify(input.prefixHash)});
}, 120_000);
`;
}

/** A test file for pytest. */
export function pytestFixture(input: FixtureInput): string {
  const { bundle } = input;
  const isInside = 'text' in bundle;
  const source = isInside
    ? `BUNDLE = "\\n".join(${linesLiteral(bundle.text, PYTHON.string, '    ')})`
    : `BUNDLE = (pathlib.Path(__file__).parent / ${PYTHON.string(bundle.file)}).read_text(encoding="utf-8")`;
  return `${commentOf(input, '#')}
import json
import os
${isInside ? '' : 'import pathlib\n'}import subprocess

SPEC = ${literalOf(input.specJson, PYTHON)}

${source}


def test_projects_as_recorded():
    """${titleOf(input).replaceAll(/["\\]/g, "'")}"""
    command = os.environ.get("PARALLAX", "parallax").split(" ")
    run = subprocess.run(
        [*command, "verify", "-", "--spec", json.dumps(SPEC), "--json"],
        input=BUNDLE,
        capture_output=True,
        encoding="utf-8",
    )
    assert run.returncode in (0, 1), run.stderr
    report = json.loads(run.stdout)
    assert report["differences"] == []
    assert report["prefixHash"] == ${JSON.stringify(input.prefixHash)}
`;
}

function titleOf({ about }: FixtureInput): string {
  return `${oneLine(about.title, 60)}: ${callWords(about)}`;
}

function commentOf(input: FixtureInput, mark: string): string {
  return [`"${oneLine(input.about.title)}", ${callWords(input.about)}: made by Parallax.`, ...HOW]
    .map((line) => `${mark} ${line}`)
    .join('\n');
}

// A line of the bundle a line of the file: each message has its own, so that a change of one is a change of one.
function linesLiteral(text: string, literal: (line: string) => string, indent: string): string {
  return `[\n${text
    .split('\n')
    .map((line) => `${indent}${literal(line)},\n`)
    .join('')}]`;
}
