import { type Rng, seededRng } from '../../core/util/rng.ts';

// Made-up sessions in the form of Claude Code's JSONL, as large as wanted and the same for the same seed. They behave
// like real ones where it matters to the program: calls answered by results, failures repaired later, identifiers
// that come back, a few signed thoughts, long results.

const WORDS =
  'the session token is refreshed after logout and the lock is taken too late so two tabs race for it which the test shows when it runs twice in a row with a slow store'.split(
    ' ',
  );
const FOLDERS = ['src/auth', 'src/store', 'src/api', 'test/unit', 'lib/net'];
const FILES = ['session', 'login', 'refresh', 'cookie', 'guard', 'queue', 'retry', 'cache', 'router', 'schema'];
const START = Date.UTC(2026, 0, 5, 9, 0, 0);

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

interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly path: string;
}

class SessionWriter {
  readonly #rng: Rng;
  readonly #signed: number;
  #count = 0;
  #open: OpenCall | null = null;
  #callsLeft = 0;
  /** The file whose last call failed: the next call to it succeeds, as repairs do. */
  #failed: string | null = null;

  constructor(rng: Rng, signed: number) {
    this.#rng = rng;
    this.#signed = signed;
  }

  next(): string {
    if (this.#open) return this.#result(this.#open);
    if (this.#count === 0 || this.#callsLeft === 0) return this.#prompt();
    return this.#call();
  }

  #prompt(): string {
    this.#callsLeft = 3 + this.#rng.below(12);
    return this.#record('user', { role: 'user', content: `${this.#prose(12)}? Look at ${this.#path()}.` });
  }

  #call(): string {
    this.#callsLeft--;
    const content: unknown[] = [];
    if (this.#rng.chance(this.#signed)) {
      content.push({ type: 'thinking', thinking: this.#prose(60), signature: this.#hex(64) });
    }
    if (this.#callsLeft === 0 || this.#rng.chance(0.4)) content.push({ type: 'text', text: `${this.#prose(20)}.` });
    if (this.#callsLeft > 0) content.push(this.#toolUse());
    const message = {
      id: `msg_${this.#hex(12)}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
    };
    const stop_reason = this.#open ? 'tool_use' : 'end_turn';
    return this.#record('assistant', { ...message, content, stop_reason });
  }

  #toolUse(): unknown {
    const path = this.#failed ?? this.#path();
    const name = this.#rng.pick(['Read', 'Bash', 'Grep', 'Edit']);
    const id = `toolu_${this.#hex(20)}`;
    this.#open = { id, name, path };
    const input = name === 'Bash' ? { command: `npm test -- ${path}`, description: 'Run it' } : { file_path: path };
    return { type: 'tool_use', id, name, input };
  }

  #result(call: OpenCall): string {
    this.#open = null;
    const fails = this.#failed === null && this.#rng.chance(0.12);
    this.#failed = fails ? call.path : null;
    const lines = 2 + this.#rng.below(this.#rng.chance(0.2) ? 60 : 14);
    const body = fails ? `Error: cannot open ${call.path}` : this.#code(call.path, lines);
    const block = { type: 'tool_result', tool_use_id: call.id, content: body, ...(fails ? { is_error: true } : {}) };
    return this.#record('user', { role: 'user', content: [block] });
  }

  #record(type: string, message: unknown): string {
    const timestamp = new Date(START + this.#count * 7_000).toISOString();
    const uuid = `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`;
    const parentUuid =
      this.#count === 0 ? null : `00000000-0000-4000-8000-${String(this.#count - 1).padStart(12, '0')}`;
    this.#count++;
    const frame = { isSidechain: false, userType: 'external', cwd: '/home/dev/my-api', version: '2.0.14' };
    const ids = { parentUuid, sessionId: '11111111-2222-4333-8444-555555555555', gitBranch: 'main' };
    return JSON.stringify({ ...ids, ...frame, type, message, uuid, timestamp });
  }

  #code(path: string, lines: number): string {
    const name = this.#rng.pick(FILES);
    return Array.from({ length: lines }, (_, i) => `${path}:${i + 1}: const ${name} = ${this.#prose(5)};`).join('\n');
  }

  #path(): string {
    return `${this.#rng.pick(FOLDERS)}/${this.#rng.pick(FILES)}${this.#rng.below(40)}.ts`;
  }

  #prose(words: number): string {
    return Array.from({ length: words }, () => this.#rng.pick(WORDS)).join(' ');
  }

  #hex(length: number): string {
    return Array.from({ length }, () => '0123456789abcdef'[this.#rng.below(16)]).join('');
  }
}
