// The example that the help of each command ends with, by the words that call it. test/cli/examples.test.ts runs every one
// of them, as it is written, in a folder that has these files.
import type { Command } from 'commander';

const EXAMPLES: Readonly<Record<string, string>> = {
  project: 'parallax project session.jsonl --policy reachability_gc --at 12',
  trace: 'parallax trace session.jsonl --text "port 8443" --policy short_context',
  watch: 'parallax watch session.jsonl --text "port 8443" --text harbour',
  keep: 'parallax keep session.jsonl --text "port 8443" --policy short_context',
  sweep: 'parallax sweep session.jsonl --policy reachability_gc',
  compare: 'parallax compare session.jsonl --a raw --b reachability_gc',
  tune: 'parallax tune session.jsonl --spec reachability_gc --vary reachability_gc.root_window=2..8:2',
  autopsy: 'parallax autopsy session.jsonl',
  presets: 'parallax presets session.jsonl --window 200000',
  why: 'parallax why session.jsonl --message 3 --policy reachability_gc',
  entries: 'parallax entries session.jsonl --request req_1',
  events: 'parallax events session.jsonl --kinds',
  uses: 'parallax uses session.jsonl --policy reachability_gc',
  findings: 'parallax findings session.jsonl --policy reachability_gc',
  check: 'parallax check rules.yaml session.jsonl --format junit',
  usage: 'parallax usage session.jsonl --requests',
  cache: 'parallax cache session.jsonl',
  scrub: 'parallax scrub session.jsonl --word harbour',
  export: 'parallax export session.jsonl --policy reachability_gc --at 12 -o bug.parallax.json',
  verify: 'parallax verify report.parallax.json',
  reproduce: 'parallax reproduce session.jsonl --policy reachability_gc --as curl -o request.sh',
  keys: 'parallax keys -o mine',
  lint: 'parallax lint session.jsonl --provider anthropic',
  repair: 'parallax repair pi.jsonl --check',
  import: 'parallax import session.jsonl --library library',
  ls: 'parallax ls --library library --sort tokens',
  stats: 'parallax stats --library library --by tool',
  tag: 'parallax tag --library library',
  rm: 'parallax rm cad43f9e --library library',
  compact: 'parallax compact --library library',
  fork: 'parallax fork session.jsonl --at 4 --text "And now?" --library library',
  search: 'parallax search port 8443 --library library',
  serve: 'parallax serve session.jsonl --port 4400',
  worker: 'parallax worker --jobs 2 < tasks.ndjson',
  mcp: 'parallax mcp',
  formats: 'parallax formats',
  sample: 'parallax sample --out session.jsonl',
  'mapping guess': 'parallax mapping guess rows.jsonl',
  'mapping check': 'parallax mapping check mapping.json rows.jsonl --limit 5',
  'mapping ls': 'parallax mapping ls --library library',
  'mapping save': 'parallax mapping save mapping.json --name rows --library library',
  'mapping export': 'parallax mapping export rows --library library',
  'mapping rm': 'parallax mapping rm rows --library library',
};

/** The example of a command, by the words that call it. */
export function exampleOf(words: readonly string[]): string | null {
  return EXAMPLES[words.join(' ')] ?? null;
}

/** Ends the help of every command with its example. */
export function addExamples(program: Command, before: readonly string[] = []): void {
  for (const command of program.commands) {
    const words = [...before, command.name()];
    const example = exampleOf(words);
    if (example !== null) command.addHelpText('after', `\nExample:\n  ${example}`);
    addExamples(command, words);
  }
}
