// What the documents say can be done is done here: commands run, scripts exist, links lead somewhere.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runCli } from '../support/cli.ts';
import { claudeCodeFile } from '../support/generate.ts';
import { filesBelow } from '../support/shared.ts';

const CHECKOUT = resolve(import.meta.dirname, '..', '..');
const readText = (name: string) => readFileSync(join(CHECKOUT, name), 'utf8');
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', ...filesBelow(join(CHECKOUT, 'docs')).filter(isMarkdown).map(short)];

function isMarkdown(path: string): boolean {
  return path.endsWith('.md');
}

function short(path: string): string {
  return path.slice(CHECKOUT.length + 1);
}

const dir = mkdtempSync(join(tmpdir(), 'parallax-readme-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The words of a command line as the README writes them: plain ones and ones in double quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

describe('the README', () => {
  const commands = readText('README.md').match(/(?<=^npm run --silent parallax -- ).+$/gm) ?? [];

  it('shows commands', () => expect(commands.length).toBeGreaterThan(3));

  it('shows commands that work, in its order', async () => {
    writeFileSync(join(dir, 'session.jsonl'), claudeCodeFile({ messages: 60, seed: 3 }));
    const said: string[] = [];
    for (const command of commands) {
      const args = wordsOf(command).map((word) => (/^\w+\.(jsonl?|html)$/.test(word) ? join(dir, word) : word));
      // Its text stands in somebody's session, not in this one.
      const run = await runCli(args.map((word) => (word === 'refresh_token' ? 'the' : word)));
      said.push(`${command}: ${run.code <= 1 && run.stdout !== '' ? 'works' : `${run.code} ${run.stderr}`}`);
    }
    expect(said).toEqual(commands.map((command) => `${command}: works`));
  });
});

describe.each(DOCUMENTS)('%s', (name) => {
  const text = readText(name);

  it('names scripts that exist', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readText('package.json')));
    const named = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, script]) => script ?? '');
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it('names files and folders that exist', () => {
    const named = [...text.matchAll(/(?<![\w/.-])(?:core|renderer|cli|electron|test|docs)\/[\w./<>*…-]*/g)].map(
      ([path]) => path,
    );
    const plain = named.filter((path) => !/[<>*…]/.test(path)).map((path) => path.replace(/[./]+$/, ''));
    expect(plain.filter((path) => !existsSync(join(CHECKOUT, path)))).toEqual([]);
  });

  it('links to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link]) => link ?? '');
    const local = links.filter((link) => !/^[a-z]+:/.test(link));
    expect(local.filter((link) => !existsSync(resolve(CHECKOUT, dirname(name), link)))).toEqual([]);
  });
});
