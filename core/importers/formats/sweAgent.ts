// Trajectories of SWE-agent, 0.x to 1.x. `history` is the conversation; `trajectory` says the same step by step, so it
// is read only where there is no history. It stays in the remainder of the document, because it may stand before.

import type { ImportSink, SourceRecord } from '../../model/importSink.ts';
import type { MessageMeta } from '../../model/message.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../util/unknown.ts';
import { parseJson } from '../reading/record.ts';
import { defined, humanText, originOf, titleOf } from '../reading/shared.ts';
import { elementSpans, sliceAt, spanAt } from '../reading/slices.ts';
import { TrackingSink } from '../reading/trackingSink.ts';
import type { Detection, Format, FormatReader, Sniff } from '../types.ts';

const ID = 'swe-agent';
const LOOKS_FOR = 'a document with trajectory (action, observation, response) and history (role, agent)';

/** An example that is in the prompt of every request. */
const DEMONSTRATION = { kind: 'demonstration' } as const;
const SAYS_NOTHING: ReadonlySet<string | null> = new Set([null, 'null']);

/** One run: the messages of its history, or what its steps say. */
export const sweAgent: Format = {
  id: ID,
  title: 'SWE-agent trajectory',
  looksFor: LOOKS_FOR,
  recovers: ['calls', 'results', 'models'],
  detect,
  elements: [['history', '*']],
  readerVersion: 2,
  open: (sink) => new SweAgentReader(sink),
};

function detect(sniff: Sniff): Detection {
  const [value] = sniff.values;
  const score = isRecord(value) ? scoreOf(value) : 0;
  return { score, why: score > 0 ? 'steps and messages of a SWE-agent run' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(document: Fields): number {
  const [step] = arrayAt(document, 'trajectory') ?? [];
  if (isRecord(step) && ['action', 'observation', 'response'].every((key) => Object.hasOwn(step, key))) return 0.95;
  const [message] = arrayAt(document, 'history') ?? [];
  if (!isRecord(message) || stringAt(message, 'role') === undefined || !Object.hasOwn(message, 'content')) return 0;
  return ['agent', 'message_type', 'is_demo'].some((key) => Object.hasOwn(message, key)) ? 0.9 : 0;
}

class SweAgentReader implements FormatReader {
  readonly #sink: TrackingSink;
  #elements = 0;
  #answers = 0;
  #isTitled = false;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    if (this.#sink.key === null) this.#sink.begin('main', { format: ID });
    const fields = isRecord(record.value) ? record.value : {};
    if (record.path.length > 0) this.#element(record, fields);
    else this.#document(record, fields);
  }

  end(): void {}

  #element(record: SourceRecord, fields: Fields): void {
    this.#elements++;
    if (stringAt(fields, 'role') === undefined) this.#note(record, 'unknown:untyped', 'an entry without a role');
    else this.#message(record, record.text, fields);
  }

  #message(record: SourceRecord, text: string, fields: Fields): void {
    const role = stringAt(fields, 'role');
    if (ownAt(fields, 'is_demo') === true) {
      this.#emit(record, text, fields, { ...(role === 'user' ? { injected: true } : {}), provenance: DEMONSTRATION });
      return;
    }
    if (role === 'assistant') this.#answers++;
    // What follows an answer under the role user is the output of its command.
    const isOutput = role === 'user' && this.#answers > 0;
    if (role === 'user' && !isOutput && !this.#isTitled) this.#title(fields);
    this.#emit(record, text, fields, isOutput ? { injected: true } : {});
  }

  #emit(record: SourceRecord, text: string, value: Fields, meta: MessageMeta): void {
    this.#sink.message({ text, value, meta, origins: [originOf(record)] });
  }

  #title(fields: Fields): void {
    const title = humanText(ownAt(fields, 'content'));
    if (title === undefined) return;
    this.#isTitled = true;
    this.#sink.meta({ title });
  }

  #document(record: SourceRecord, fields: Fields): void {
    if (this.#elements === 0) this.#steps(record, arrayAt(fields, 'trajectory') ?? []);
    const info = recordAt(fields, 'info');
    const model = modelOf(ownAt(fields, 'replay_config'));
    const toolVersion = info && stringAt(info, 'swe_agent_version');
    const project = stringAt(fields, 'environment');
    this.#sink.meta(defined({ project, toolVersion, models: model === undefined ? undefined : [model] }));
    const status = info && ownAt(info, 'exit_status');
    const result = info && `ended: ${typeof status === 'string' ? status : 'without a status'}`;
    if (result) this.#note(record, 'result', result, sliceAt(record.text, ['info']) ?? '{}');
    else if (this.#sink.length === 0) this.#note(record, 'document', 'a run without steps');
  }

  // The prompt the first step was asked with, then each step's answer and what came of it.
  #steps(record: SourceRecord, steps: readonly unknown[]): void {
    const { text } = record;
    const [first] = steps;
    const promptKey = isRecord(first) ? ['messages', 'query'].find((key) => arrayAt(first, key)) : undefined;
    const prompt = promptKey === undefined || !isRecord(first) ? [] : (arrayAt(first, promptKey) ?? []);
    const list = promptKey === undefined ? null : sliceAt(text, ['trajectory', 0, promptKey]);
    for (const [at, { start, end }] of (list ? elementSpans(list, 0) : []).entries()) {
      const value = prompt[at];
      if (isRecord(value)) this.#message(record, list?.slice(start, end) ?? '', value);
    }
    const span = spanAt(text, ['trajectory']);
    const stepSpans = span && steps.length > 0 ? elementSpans(text, span.start) : [];
    for (const { start, end } of stepSpans) this.#step(record, text.slice(start, end));
  }

  #step(record: SourceRecord, step: string): void {
    const said = [sliceAt(step, ['response']), sliceAt(step, ['thought'])].find((text) => !SAYS_NOTHING.has(text));
    const seen = sliceAt(step, ['observation']);
    if (said) this.#made(record, `{"role":"assistant","content":${said}}`);
    if (!SAYS_NOTHING.has(seen)) this.#made(record, `{"role":"user","content":${seen}}`);
  }

  #made(record: SourceRecord, text: string): void {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) this.#message(record, text, value);
  }

  #note(record: SourceRecord, kind: string, text: string, json = record.text): void {
    const at = this.#sink.length;
    const line = titleOf(text) ?? kind;
    this.#sink.event({ kind, at, visibility: 'internal', text: line, json, origin: originOf(record) });
  }
}

// Releases write the configuration as an object or as its JSON text.
function modelOf(config: unknown): string | undefined {
  const value = typeof config === 'string' ? parseJson(config).value : config;
  const agent = isRecord(value) ? recordAt(value, 'agent') : undefined;
  const model = agent && recordAt(agent, 'model');
  return model && stringAt(model, 'name');
}
