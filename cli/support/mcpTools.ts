// What `parallax mcp` offers: questions about a transcript, each answered by one command. Nothing is written.

import { z } from 'zod';
import { countOf, grouped } from '../../core/util/counts.ts';

/** A tool: what it takes, and the command that answers it. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Arguments of the command, from input that was checked. */
  command(given: Readonly<Record<string, unknown>>): readonly string[];
  /** What of the command's output is the answer; absent = all of it. */
  pick?(out: string): string;
}

const path = z.string().min(1).describe('The file of the transcript, of any format that Parallax reads');
const spec = z
  .string()
  .optional()
  .describe(
    'A policy or preset by name, or a spec as JSON; without it what was sent or kept, as far as it is recorded',
  );
const at = z.int().min(0).optional().describe('The request before this message (from 0); without it the next one');
const text = z
  .string()
  .min(1)
  .optional()
  .describe('A text, as a person reads it: runs of white space match each other');
const message = z.int().min(0).optional().describe('A message by its number, in place of a text');

/** The options that many tools share. */
function shared({ spec: policy, at: point }: Readonly<Record<string, unknown>>): readonly string[] {
  return [
    ...(typeof policy === 'string' ? [`--spec=${policy}`] : []),
    ...(typeof point === 'number' ? [`--at=${point}`] : []),
  ];
}

function subject({ text: words, message: index }: Readonly<Record<string, unknown>>): readonly string[] {
  return [
    ...(typeof words === 'string' ? [`--text=${words}`] : []),
    ...(typeof index === 'number' ? [`--message=${index}`] : []),
  ];
}

function fileOf({ path: given }: Readonly<Record<string, unknown>>): readonly string[] {
  const file = String(given);
  // stdin is the protocol's; a name that begins with a dash is a file all the same.
  return ['--', file.startsWith('-') ? `./${file}` : file];
}

const ROWS_SHOWN = 200;

function rowsIn(out: string): string {
  const Rows = z.object({ rows: z.array(z.unknown()) });
  const { rows } = Rows.parse(JSON.parse(out));
  const shown = rows.slice(0, ROWS_SHOWN).map((row) => JSON.stringify(row));
  const more = rows.length > shown.length ? [`and ${grouped(rows.length - shown.length)} more`] : [];
  return [`${countOf(rows.length, 'row')} fit`, ...shown, ...more].join('\n');
}

/** The tools, in the order in which they are listed. */
export const MCP_TOOLS: readonly McpTool[] = [
  {
    name: 'find',
    title: 'Find messages',
    description:
      'Messages of a transcript that fit a query: words, "a phrase", role:user, tool:Bash, fate:summarised, used:later, tokens>2000. Says of each whether it is in the request.',
    input: z.strictObject({ path, query: z.string().min(1).describe('See docs/filter.md'), spec, at }),
    command: (given) => [
      'project',
      '--json',
      '--no-tokens',
      `--filter=${given.query}`,
      ...shared(given),
      ...fileOf(given),
    ],
    pick: rowsIn,
  },
  {
    name: 'trace',
    title: 'Why is it gone?',
    description:
      'Whether a text or message is in the request: word for word, only elsewhere, only partly or gone; since which request, by which rule, and what is there instead.',
    input: z.strictObject({ path, text, message, spec, at }),
    command: (given) => ['trace', ...subject(given), ...shared(given), ...fileOf(given)],
  },
  {
    name: 'uses',
    title: 'What was relied on',
    description: 'What later messages relied on, and whether their requests still held it; what was fetched again.',
    input: z.strictObject({
      path,
      spec,
      at: at.describe('Only what this message (from 0) relied on; without it what all did'),
    }),
    command: (given) => ['uses', ...shared(given), ...fileOf(given)],
  },
  {
    name: 'keep',
    title: 'What would have kept it',
    description:
      'The smallest changes of the policy that keep a text or message in the request, each proved, with its price.',
    input: z.strictObject({ path, text, message, spec, at }),
    command: (given) => ['keep', ...subject(given), ...shared(given), ...fileOf(given)],
  },
  {
    name: 'compare',
    title: 'Compare two policies',
    description: 'Which messages two policies treat differently, and what the session comes to under each.',
    input: z.strictObject({
      path,
      a: z.string().describe('The first policy: a name or a spec as JSON'),
      b: z.string().describe('The second policy'),
      at,
    }),
    command: (given) => ['compare', `--a=${given.a}`, `--b=${given.b}`, ...shared({ at: given.at }), ...fileOf(given)],
  },
  {
    name: 'findings',
    title: 'What went wrong',
    description: 'What the session forgot and fetched again, broke, or lost from the cache, dearest first.',
    input: z.strictObject({ path, spec }),
    command: (given) => ['findings', '--no-prevented', ...shared({ spec: given.spec }), ...fileOf(given)],
  },
];
