import { type Rng, seededRng } from '../../../core/util/rng.ts';
import { type TextSource, textSource } from '../words.ts';
import { type Ids, recordFrame, SessionClock } from './records.ts';
import { tinyPng } from './tinyPng.ts';

// A model of a whole Claude Code session, for corpora of any size: prompts, answers written one block a line with the
// usage as the tool records it, parallel calls answered out of order, failures and repairs, images, hooks, reminders,
// compactions when the context is full, rewinds, API errors, sub-agents inline. No recorded text is in it: words, code
// and names are made up from the seed. The same options give the same bytes.

/** What to make. */
export interface SessionOptions {
  /** Messages as the program counts them: an answer of several lines is one. All branches and sub-agents together. */
  readonly messages: number;
  readonly seed: number;
  /** Days after 2026-01-05 at which the session begins. */
  readonly day?: number;
  /** Name of the folder it was held in. */
  readonly project?: string;
}

/** What a session was made of: what a reader must find in it. */
export interface SessionTally {
  lines: number;
  messages: number;
  calls: number;
  results: number;
  errors: number;
  signatures: number;
  images: number;
  compactions: number;
  rewinds: number;
  subAgents: number;
  /** What the client attached and the model was sent; these are messages beside the others. */
  attached: number;
}

const MODELS = ['claude-sonnet-4-5-20250929', 'claude-opus-4-1-20250805', 'claude-haiku-4-5-20251001'];
const TOOLS = ['Read', 'Read', 'Read', 'Bash', 'Bash', 'Grep', 'Edit', 'Write'];
const FILES = 400;
/** Files worked on at a time: names come back for a while and then no more. */
const AT_HAND = 12;
/** Tokens in the context at which the tool compacts. */
const FULL = 155_000;
/** Prompts remembered to go back to. */
const REMEMBERED = 6;

interface Call {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  /** Uuid of the line that made the call: the parent of its result. */
  readonly line: string;
}

/** Writes one session, line by line: `next` gives the lines of the next step, which are at least one message. */
export class SessionModel {
  readonly tally: SessionTally = {
    lines: 0,
    messages: 0,
    calls: 0,
    results: 0,
    errors: 0,
    signatures: 0,
    images: 0,
    compactions: 0,
    rewinds: 0,
    subAgents: 0,
    attached: 0,
  };
  readonly #rng: Rng;
  readonly #text: TextSource;
  readonly #ids: Ids;
  readonly #clock: SessionClock;
  readonly #files: readonly string[];
  readonly #most: number;
  #atHand: string[] = [];
  #model: string;
  /** Uuid of the last line of the active branch. */
  #leaf: string | null = null;
  #open: Call[] = [];
  /** A call that failed: the next is the same tool on the same file and succeeds, as repairs do. */
  #failed: Call | null = null;
  #callsLeft = 0;
  #context = 0;
  #cached = 0;
  /** Where recent prompts stood: the place before them, and the size of the context there. */
  #prompts: { readonly parent: string; readonly context: number }[] = [];
  #out: string[] = [];

  constructor(options: SessionOptions) {
    this.#rng = seededRng(options.seed);
    this.#text = textSource(this.#rng);
    this.#most = options.messages;
    const project = options.project ?? this.#text.symbol().toLowerCase();
    this.#ids = { sessionId: this.#uuid(), cwd: `/home/dev/${project}`, branch: this.#rng.pick(['main', 'next']) };
    this.#clock = new SessionClock(options.day ?? 0, this.#rng);
    const folders = Array.from({ length: 24 }, () => `src/${this.#text.symbol()}`);
    this.#files = Array.from({ length: FILES }, () => `${this.#rng.pick(folders)}/${this.#text.symbol()}.ts`);
    this.#model = this.#rng.pick(MODELS);
  }

  /** Id of the session, by which the tool names its file. */
  get sessionId(): string {
    return this.#ids.sessionId;
  }

  /** True when the session holds the messages asked for. */
  get done(): boolean {
    return this.tally.messages >= this.#most;
  }

  /** The next lines, without line ends. */
  next(): readonly string[] {
    this.#out = [];
    if (this.#open.length > 0) this.#answerCalls();
    else if (this.#context > FULL) this.#compact();
    else if (this.#callsLeft === 0) this.#prompt();
    else this.#answer();
    this.tally.lines += this.#out.length;
    return this.#out;
  }

  // ----- people ----------------------------------------------------------------------------------------------------

  #prompt(): void {
    if (this.tally.messages === 0) this.#opening();
    else if (this.#prompts.length > 2 && this.#rng.chance(0.04)) this.#rewind();
    if (this.#leaf !== null) {
      this.#prompts = [...this.#prompts.slice(1 - REMEMBERED), { parent: this.#leaf, context: this.#context }];
    }
    this.#callsLeft = 3 + this.#rng.below(22);
    const asked = `${this.#prose(236, 1.8, 35_000)} Look at ${this.#file()}.`;
    const blocks: unknown[] = [{ type: 'text', text: asked }];
    if (this.#rng.chance(0.03)) blocks.push(this.#image());
    this.#message('user', { role: 'user', content: blocks.length === 1 ? asked : blocks }, {}, asked.length);
    this.#note('file-history-snapshot', { messageId: this.#leaf, snapshot: { trackedFileBackups: {} } });
    if (this.#rng.chance(0.3)) this.#attachment();
    if (this.#rng.chance(0.05)) this.#caveat();
  }

  #opening(): void {
    this.#bare('mode', { mode: 'normal' });
    this.#bare('custom-title', { customTitle: this.#prose(30, 0.4, 60) });
    this.#attach({ type: 'hook_success', hookName: 'SessionStart:startup', content: this.#prose(300, 0.5, 900) });
  }

  #attachment(): void {
    const content = this.#prose(160, 0.8, 2_000);
    const kinds = [
      { type: 'task_reminder', content: [], itemCount: 0 },
      { type: 'hook_additional_context', content: [content], hookName: 'UserPromptSubmit' },
      { type: 'nested_memory', path: this.#file(), content: { type: 'Project', content } },
    ];
    const attachment = this.#rng.pick(kinds);
    this.#attach(attachment);
    if (attachment.type !== 'task_reminder') this.tally.attached++;
  }

  #caveat(): void {
    const content = `<local-command-stdout>${this.#code(120, 0.8, 2_000)}</local-command-stdout>`;
    this.#message('user', { role: 'user', content }, { isMeta: true }, content.length);
  }

  // The person edits an earlier prompt: what came after it is a branch left behind.
  #rewind(): void {
    const back = this.#rng.below(this.#prompts.length - 1);
    const place = this.#prompts[back];
    if (!place) return;
    this.#prompts = this.#prompts.slice(0, back);
    this.#leaf = place.parent;
    this.#context = place.context;
    this.tally.rewinds++;
  }

  // ----- the model -------------------------------------------------------------------------------------------------

  #answer(): void {
    if (this.#rng.chance(0.004)) {
      this.#apiError();
      return;
    }
    if (this.#rng.chance(0.01)) this.#model = this.#rng.pick(MODELS);
    const blocks: unknown[] = [];
    if (this.#rng.chance(0.25)) {
      blocks.push({ type: 'thinking', thinking: this.#prose(280, 1.2, 12_000), signature: this.#text.hex(320) });
      this.tally.signatures++;
    }
    this.#callsLeft--;
    const ends = this.#callsLeft === 0;
    if (ends || this.#rng.chance(0.35)) blocks.push({ type: 'text', text: this.#prose(120, 1.7, 15_000) });
    const calls = ends ? [] : this.#calls();
    for (const call of calls) blocks.push({ type: 'tool_use', id: call.id, name: call.name, input: this.#input(call) });
    this.#writeAnswer(blocks, calls, ends ? 'end_turn' : 'tool_use');
  }

  #calls(): readonly Omit<Call, 'line'>[] {
    const failed = this.#failed;
    if (failed) return [{ id: this.#callId(), name: failed.name, path: failed.path }];
    if (this.#rng.chance(0.012)) return [{ id: this.#callId(), name: 'Task', path: this.#file() }];
    const parallel = this.#rng.chance(0.15) ? 2 + this.#rng.below(4) : 1;
    return Array.from({ length: parallel }, () => ({
      id: this.#callId(),
      name: this.#rng.pick(TOOLS),
      path: this.#file(),
    }));
  }

  // One line a block; all repeat the message's id, and only the last knows the final usage and the stop reason.
  #writeAnswer(blocks: readonly unknown[], calls: readonly Omit<Call, 'line'>[], stop: string): void {
    const id = `msg_${this.#text.hex(24)}`;
    const requestId = `req_${this.#text.hex(20)}`;
    const output = Math.ceil(JSON.stringify(blocks).length / 4);
    const written = this.#context - this.#cached;
    this.#open = [];
    for (const [place, block] of blocks.entries()) {
      const last = place === blocks.length - 1;
      const usage = {
        input_tokens: 4,
        cache_creation_input_tokens: Math.max(0, written),
        cache_read_input_tokens: this.#cached,
        output_tokens: last ? output : 1,
        service_tier: 'standard',
      };
      const rest = { type: 'message', role: 'assistant', model: this.#model, content: [block] };
      const message = { id, ...rest, stop_reason: last ? stop : null, stop_sequence: null, usage };
      this.#line('assistant', { message, requestId });
      const call = calls.find(
        (each) => block !== null && typeof block === 'object' && 'id' in block && block.id === each.id,
      );
      if (call && this.#leaf !== null) this.#open.push({ ...call, line: this.#leaf });
    }
    this.#cached = this.#context;
    this.#context += output;
    this.tally.messages++;
    this.tally.calls += calls.length;
  }

  #apiError(): void {
    const text = `API Error: 529 {"type":"overloaded_error","message":"${this.#prose(40, 0.4, 80)}"}`;
    const message = {
      id: this.#uuid(),
      model: '<synthetic>',
      role: 'assistant',
      type: 'message',
      stop_reason: 'stop_sequence',
    };
    const more = { isApiErrorMessage: true, error: 'overloaded' };
    this.#message('assistant', { ...message, content: [{ type: 'text', text }] }, more, 0);
  }

  // ----- tools -----------------------------------------------------------------------------------------------------

  // Results come in any order, each below the line of its own call.
  #answerCalls(): void {
    const calls = this.#rng.shuffle(this.#open);
    this.#open = [];
    for (const call of calls) {
      if (call.name === 'Task') this.#subAgent(call);
      this.#result(call);
    }
  }

  #result(call: Call): void {
    const fails = this.#failed === null && this.#rng.chance(0.06);
    this.#failed = fails ? call : null;
    const code = this.#code(300, 1.7, 50_000);
    const body = fails ? `Error: cannot open ${call.path}\n${code.slice(0, 400)}` : this.#listing(call.path, code);
    const pictured = !fails && call.name === 'Read' && this.#rng.chance(0.004);
    const content = pictured ? [this.#image()] : body;
    const block = { type: 'tool_result', tool_use_id: call.id, content, ...(fails ? { is_error: true } : {}) };
    const again = fails ? body : { type: 'text', file: { filePath: call.path, content: pictured ? '' : body } };
    this.#leaf = call.line;
    this.#message('user', { role: 'user', content: [block] }, { toolUseResult: again }, body.length);
    this.tally.results++;
    if (fails) this.tally.errors++;
  }

  // The first layout of sub-agents: a chain of its own in the same file, beginning with the words of the call.
  #subAgent(call: Call): void {
    const leaf = this.#leaf;
    const context = this.#context;
    this.#leaf = null;
    const side = { isSidechain: true };
    this.#message('user', { role: 'user', content: taskPrompt(call) }, side, 0);
    const steps = 1 + this.#rng.below(5);
    for (let step = 0; step < steps; step++) {
      const id = this.#callId();
      const use = { type: 'tool_use', id, name: 'Grep', input: { pattern: this.#text.symbol(), path: this.#file() } };
      const answer = { id: `msg_${this.#text.hex(24)}`, type: 'message', role: 'assistant', model: this.#model };
      this.#message('assistant', { ...answer, content: [use], stop_reason: 'tool_use' }, side, 0);
      const result = { type: 'tool_result', tool_use_id: id, content: this.#code(300, 1.2, 20_000) };
      this.#message('user', { role: 'user', content: [result] }, side, 0);
      this.tally.calls++;
      this.tally.results++;
    }
    const said = [{ type: 'text', text: this.#prose(300, 1, 6_000) }];
    const end = { id: `msg_${this.#text.hex(24)}`, type: 'message', role: 'assistant', model: this.#model };
    this.#message('assistant', { ...end, content: said, stop_reason: 'end_turn' }, side, 0);
    this.#leaf = leaf;
    this.#context = context;
    this.tally.subAgents++;
  }

  #input(call: Omit<Call, 'line'>): unknown {
    const { name, path } = call;
    switch (name) {
      case 'Task':
        return { description: 'Look around', prompt: taskPrompt(call), subagent_type: 'general-purpose' };
      case 'Bash':
        return { command: `${this.#code(60, 1.2, 4_000)} ${path}`, description: 'Run it' };
      case 'Grep':
        return { pattern: this.#text.symbol(), path };
      case 'Edit':
        return { file_path: path, old_string: this.#code(400, 1.1, 30_000), new_string: this.#code(700, 1.1, 30_000) };
      case 'Write':
        return { file_path: path, content: this.#code(1_500, 1.1, 30_000) };
      default:
        return { file_path: path, offset: this.#rng.below(900), limit: 200 };
    }
  }

  #listing(path: string, code: string): string {
    return this.#rng.chance(0.5) ? `${path}\n${code}\n${this.#file()}` : code;
  }

  // ----- the tool itself -------------------------------------------------------------------------------------------

  #compact(): void {
    const before = this.#context;
    const logicalParentUuid = this.#leaf;
    this.#leaf = null;
    const compactMetadata = { trigger: this.#rng.chance(0.8) ? 'auto' : 'manual', preTokens: before };
    const boundary = { subtype: 'compact_boundary', content: 'Conversation compacted', level: 'info' };
    this.#line('system', { ...boundary, logicalParentUuid, compactMetadata });
    const summary = `This session is being continued from a previous conversation.\n\n${this.#prose(9_000, 0.4, 30_000)}`;
    this.#context = 0;
    const marks = { isCompactSummary: true, isVisibleInTranscriptOnly: true };
    this.#message('user', { role: 'user', content: summary }, marks, summary.length);
    this.#cached = 0;
    this.#prompts = [];
    this.tally.compactions++;
  }

  // ----- lines -----------------------------------------------------------------------------------------------------

  #message(type: string, message: object, more: object, chars: number): void {
    this.#line(type, { message, ...more });
    this.#context += Math.ceil(chars / 4);
    this.tally.messages++;
  }

  #line(type: string, body: object): void {
    const uuid = this.#uuid();
    const frame = recordFrame(this.#ids, type, uuid, this.#leaf, this.#clock.tick());
    this.#out.push(JSON.stringify({ ...frame, ...body }));
    this.#leaf = uuid;
  }

  #attach(attachment: object): void {
    this.#line('attachment', { attachment });
  }

  #note(type: string, body: object): void {
    this.#out.push(JSON.stringify({ type, ...body, isSnapshotUpdate: false }));
  }

  #bare(type: string, body: object): void {
    this.#out.push(JSON.stringify({ type, ...body, sessionId: this.#ids.sessionId }));
  }

  #image(): unknown {
    this.tally.images++;
    return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: tinyPng(this.#rng) } };
  }

  // ----- words -----------------------------------------------------------------------------------------------------

  #prose(median: number, spread: number, most: number): string {
    return this.#text.prose(this.#text.length(median, spread, most));
  }

  #code(median: number, spread: number, most: number): string {
    return this.#text.code(this.#text.length(median, spread, most));
  }

  #callId(): string {
    return `toolu_${this.#text.hex(24)}`;
  }

  #uuid(): string {
    const hex = this.#text.hex(31);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-8${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
  }

  /** Mostly one of the files at hand; now and then another one takes the place of the oldest. */
  #file(): string {
    if (this.#atHand.length === AT_HAND && this.#rng.chance(0.8)) return this.#rng.pick(this.#atHand);
    const file = this.#rng.pick(this.#files);
    this.#atHand = [...this.#atHand.slice(1 - AT_HAND), file];
    return file;
  }
}

function taskPrompt({ path }: { readonly path: string }): string {
  return `Find everything that has to do with ${path} and report the places.`;
}
