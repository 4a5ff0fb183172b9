import { closeSync, openSync, writeSync } from 'node:fs';
import { type Rng, seededRng } from '../../core/util/rng.ts';
import { type TextSource, textSource } from './words.ts';

// Made-up sessions in the form of Claude Code's JSONL, as large as wanted and the same for the same seed. They behave
// like real ones where it matters to the program: calls answered by results, failures repaired later, paths and symbols
// that come back for a while and then no more, a few signed thoughts, and the sizes of the recorded sessions: medians of
// 300 characters a result, 190 an input, 120 a text, long tails, the result said a second time in `toolUseResult`.

const START = Date.UTC(2026, 0, 5, 9, 0, 0);
const PATHS = 400;
/** How many files the session works on at a time. */
const AT_HAND = 12;

/** What to make. `signed` = share of assistant messages with signed thinking, 0 by default (it blocks many policies). */
export interface GenerateOptions {
  readonly messages: number;
  readonly seed?: number;
  readonly signed?: number;
}

/** The lines of a session file with exactly that many messages, one record each. */
export function* claudeCodeLines(options: GenerateOptions): Generator<string> {
  const session = new SessionWriter(seededRng(options.seed ?? 1), options.signed ?? 0);
  for (let made = 0; made < options.messages; made++) yield session.next();
}

/** The whole file as text. */
export function claudeCodeFile(options: GenerateOptions): string {
  return `${[...claudeCodeLines(options)].join('\n')}\n`;
}

const CHUNK = 4_000_000;

/** Writes the file piece by piece, whatever its size. */
export function writeClaudeCodeFile(path: string, options: GenerateOptions): void {
  const file = openSync(path, 'w');
  let held: string[] = [];
  let chars = 0;
  const flush = () => {
    writeSync(file, held.map((line) => `${line}\n`).join(''));
    held = [];
    chars = 0;
  };
  for (const line of claudeCodeLines(options)) {
    held.push(line);
    chars += line.length;
    if (chars > CHUNK) flush();
  }
  flush();
  closeSync(file);
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly path: string;
}

class SessionWriter {
  readonly #rng: Rng;
  readonly #text: TextSource;
  readonly #signed: number;
  readonly #sessionId: string;
  readonly #paths: readonly string[];
  #atHand: string[] = [];
  #count = 0;
  #open: OpenCall | null = null;
  #callsLeft = 0;
  /** The last call if it failed: the next is the same tool on the same file and succeeds, as repairs do. */
  #failed: OpenCall | null = null;

  constructor(rng: Rng, signed: number) {
    this.#rng = rng;
    this.#signed = signed;
    this.#text = textSource(rng);
    this.#sessionId = `11111111-2222-4333-8444-${this.#text.hex(12)}`;
    const folders = Array.from({ length: 24 }, () => `src/${this.#text.symbol()}`);
    this.#paths = Array.from({ length: PATHS }, () => `${rng.pick(folders)}/${this.#text.symbol()}.ts`);
  }

  next(): string {
    if (this.#open) return this.#result(this.#open);
    if (this.#count === 0 || this.#callsLeft === 0) return this.#prompt();
    return this.#call();
  }

  #prompt(): string {
    this.#callsLeft = 4 + this.#rng.below(20);
    const text = this.#text.prose(this.#text.length(236, 1.8, 35_000));
    return this.#record('user', { role: 'user', content: `${text} Look at ${this.#path()}.` });
  }

  #call(): string {
    this.#callsLeft--;
    const content: unknown[] = [];
    if (this.#rng.chance(this.#signed)) {
      const thinking = this.#text.prose(this.#text.length(280, 1.2, 12_000));
      content.push({ type: 'thinking', thinking, signature: this.#text.hex(320) });
    }
    if (this.#callsLeft === 0 || this.#rng.chance(0.35)) {
      content.push({ type: 'text', text: this.#text.prose(this.#text.length(120, 1.7, 15_000)) });
    }
    if (this.#callsLeft > 0) content.push(this.#toolUse());
    const message = {
      id: `msg_${this.#text.hex(12)}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
    };
    const stop_reason = this.#open ? 'tool_use' : 'end_turn';
    return this.#record('assistant', { ...message, content, stop_reason });
  }

  #toolUse(): unknown {
    const path = this.#failed?.path ?? this.#path();
    const name = this.#failed?.name ?? this.#rng.pick(['Read', 'Read', 'Bash', 'Bash', 'Grep', 'Edit', 'Write']);
    const id = `toolu_${this.#text.hex(20)}`;
    this.#open = { id, name, path };
    return { type: 'tool_use', id, name, input: this.#input(name, path) };
  }

  #input(name: string, path: string): unknown {
    const code = (median: number) => this.#text.code(this.#text.length(median, 1.1, 30_000));
    switch (name) {
      case 'Bash':
        return { command: `${this.#text.code(this.#text.length(60, 1.2, 4_000))} ${path}`, description: 'Run it' };
      case 'Grep':
        return { pattern: this.#text.symbol(), path };
      case 'Edit':
        return { file_path: path, old_string: code(400), new_string: code(700) };
      case 'Write':
        return { file_path: path, content: code(1_500) };
      default:
        return { file_path: path, offset: this.#rng.below(900), limit: 200 };
    }
  }

  #result(call: OpenCall): string {
    this.#open = null;
    const fails = this.#failed === null && this.#rng.chance(0.06);
    this.#failed = fails ? call : null;
    const code = this.#text.code(this.#text.length(300, 1.7, 50_000));
    const body = fails ? `Error: cannot open ${call.path}\n${code.slice(0, 400)}` : this.#listing(call.path, code);
    const block = { type: 'tool_result', tool_use_id: call.id, content: body, ...(fails ? { is_error: true } : {}) };
    const again = fails ? body : { type: 'text', filePath: call.path, stdout: body };
    return this.#record('user', { role: 'user', content: [block] }, { toolUseResult: again });
  }

  #listing(path: string, code: string): string {
    return this.#rng.chance(0.5) ? `${path}\n${code}\n${this.#path()}` : code;
  }

  #record(type: string, message: unknown, more: object = {}): string {
    const timestamp = new Date(START + this.#count * 7_000).toISOString();
    const uuid = `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`;
    const parentUuid =
      this.#count === 0 ? null : `00000000-0000-4000-8000-${String(this.#count - 1).padStart(12, '0')}`;
    this.#count++;
    const frame = { isSidechain: false, userType: 'external', cwd: '/home/dev/my-api', version: '2.0.14' };
    const ids = { parentUuid, sessionId: this.#sessionId, gitBranch: 'main' };
    return JSON.stringify({ ...ids, ...frame, type, message, ...more, uuid, timestamp });
  }

  /** Mostly one of the files at hand; now and then another one takes the place of the oldest. */
  #path(): string {
    if (this.#atHand.length === AT_HAND && this.#rng.chance(0.8)) return this.#rng.pick(this.#atHand);
    const path = this.#rng.pick(this.#paths);
    this.#atHand = [...this.#atHand.slice(1 - AT_HAND), path];
    return path;
  }
}
