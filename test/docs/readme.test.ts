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

/** Links of a document to files that are not there, or to headings that they do not have. */
function deadLinks(name: string, text: string): readonly string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '');
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file = '', heading] = link.split('#');
    const target = file === '' ? name : join(dirname(name), file);
    if (!existsSync(resolve(CHECKOUT, target))) return true;
    if (heading === undefined || !isMarkdown(target)) return false;
    return !headingsOf(target === name ? text : readText(target)).has(heading);
  });
}

/** What the headings of a document are called in an address. */
function headingsOf(text: string): ReadonlySet<string> {
  const headings = text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.*)$/gm);
  return new Set(
    [...headings].map(([, heading = '']) => {
      const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
      return plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(' ', '-');
    }),
  );
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

  it('links to files and headings that exist', () => expect(deadLinks(name, text)).toEqual([]));
});

it('a link that leads nowhere would be seen', () => {
  const text = '# A b, `c`\n[good](#a-b-c) [none](no/such.md) [gone](#a-c) [far](https://x.test/)';
  expect(deadLinks('README.md', text)).toEqual(['no/such.md', '#a-c']);
});
