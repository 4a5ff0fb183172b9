// Results of tau2-bench: simulations of a conversation between an agent and a simulated user who may have tools of his
// own, and the fine-tuning data made of them.

import type { ImportSink, SourceRecord } from '../../model/importSink.ts';
import type { MessageMeta } from '../../model/message.ts';
import { replaceAt } from '../../util/json/index.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../util/unknown.ts';
import { defined, Extent, humanText, isoTime, openaiUsage, originOf } from '../reading/shared.ts';
import { elementSpans, sliceAt } from '../reading/slices.ts';
import { Tally } from '../reading/tally.ts';
import { TrackingSink } from '../reading/trackingSink.ts';
import type { Detection, Format, FormatReader, Sniff } from '../types.ts';

const ID = 'tau2';
const LOOKS_FOR = 'simulations with messages and a termination_reason, or splits of conversations with a simulation_id';
const SPLITS = ['train', 'test', 'val', 'validation', 'dev'];

/** Every simulation is a transcript with the exact texts of its messages; its result is an event. */
export const tau2: Format = {
  id: ID,
  title: 'tau2-bench simulations',
  looksFor: LOOKS_FOR,
  recovers: ['calls', 'results', 'errors', 'usage', 'models', 'times'],
  detect,
  elements: [['simulations', '*'], ...SPLITS.map((name) => ['splits', name, '*'])],
  open: (sink) => new Tau2Reader(sink),
};

function detect(sniff: Sniff): Detection {
  let score = 0;
  for (const value of sniff.values.slice(0, 5)) score = Math.max(score, isRecord(value) ? scoreOf(value) : 0);
  return { score, why: score > 0 ? 'simulations of tau2-bench' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(document: Fields): number {
  const [simulation] = arrayAt(document, 'simulations') ?? [];
  if (isRecord(simulation)) return isSimulation(simulation) ? 0.95 : 0;
  const splits = recordAt(document, 'splits') ?? {};
  const [example] = SPLITS.flatMap((name) => arrayAt(splits, name)?.slice(0, 1) ?? []);
  if (isRecord(example) && arrayAt(example, 'messages')) return 0.85;
  // Tasks may stand before the simulations, and be long.
  const [task] = arrayAt(document, 'tasks') ?? [];
  if (isRecord(task) && recordAt(task, 'user_scenario')) return 0.8;
  return isSimulation(document) ? 0.9 : 0;
}

function isSimulation(fields: Fields): boolean {
  const marks = ['task_id', 'termination_reason', 'reward_info', 'simulation_id', 'agent_cost'];
  return marks.filter((key) => Object.hasOwn(fields, key)).length >= 2;
}

class Tau2Reader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  #transcripts = 0;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    const { value } = record;
    if (isRecord(value) && arrayAt(value, 'messages')) this.#simulation(record, value);
    else if (record.path.length > 0 || this.#transcripts === 0) this.#unknown(record);
  }

  end(): void {
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  #simulation(record: SourceRecord, fields: Fields): void {
    const list = sliceAt(record.text, ['messages']) ?? '[]';
    const messages = arrayAt(fields, 'messages') ?? [];
    const extent = new Extent();
    for (const key of ['start_time', 'timestamp', 'end_time']) extent.time(isoTime(ownAt(fields, key)));
    this.#sink.begin(String(this.#transcripts++), this.#metaOf(record, fields, messages));
    for (const [at, { start, end }] of elementSpans(list, 0).entries()) {
      const value = messages[at];
      this.#message(record, list.slice(start, end), isRecord(value) ? value : {}, extent);
    }
    this.#sink.meta(extent.meta());
    const rest = replaceAt(record.text, ['messages'], '[]');
    this.#event(record, 'result', resultLine(fields), rest);
  }

  #metaOf(record: SourceRecord, fields: Fields, messages: readonly unknown[]) {
    const id = stringAt(fields, 'id') ?? stringAt(fields, 'simulation_id');
    const task = ownAt(fields, 'task_id');
    const said = messages.find((message) => isRecord(message) && message.role === 'user');
    const isNamed = typeof task === 'string' || typeof task === 'number';
    return {
      format: ID,
      ...defined({
        sessionId: id,
        title: isRecord(said) ? humanText(ownAt(said, 'content')) : undefined,
        project: isNamed ? `task ${task}` : undefined,
        toolsJson: arrayAt(fields, 'tools') ? (sliceAt(record.text, ['tools']) ?? undefined) : undefined,
      }),
    };
  }

  #message(record: SourceRecord, text: string, fields: Fields, extent: Extent): void {
    const meta = metaOf(fields);
    extent.time(meta.timestamp);
    if (isOfTheUsersTools(fields)) {
      const kind = fields.role === 'tool' ? 'user_tool_result' : 'user_tool_call';
      this.#event(record, kind, 'the simulated user used a tool of his own', text, meta.timestamp);
      return;
    }
    extent.model(meta.model);
    this.#sink.message({ text, value: fields, meta, origins: [originOf(record)] });
  }

  #unknown(record: SourceRecord): void {
    this.#tally.add('import.unknown_record', originOf(record), 'untyped');
    if (this.#sink.key === null) this.#sink.begin(String(this.#transcripts++), { format: ID });
    this.#event(record, 'unknown:untyped', 'a record without messages', record.text);
  }

  #event(record: SourceRecord, kind: string, text: string, json: string, timestamp?: string): void {
    const at = this.#sink.length;
    const origin = originOf(record);
    this.#sink.event({ kind, at, visibility: 'internal', text, ...defined({ timestamp }), json, origin });
  }
}

// The agent sees neither the calls the simulated user makes nor what they give.
function isOfTheUsersTools(fields: Fields): boolean {
  if (fields.role === 'tool') return fields.requestor === 'user';
  if (fields.role !== 'user' || (stringAt(fields, 'content') ?? '') !== '') return false;
  return (arrayAt(fields, 'tool_calls') ?? []).length > 0;
}

// What the simulated user cost, and on which model, says nothing of the agent.
function metaOf(fields: Fields): MessageMeta {
  const timestamp = isoTime(ownAt(fields, 'timestamp'));
  if (fields.role !== 'assistant') return defined({ timestamp });
  const raw = recordAt(fields, 'raw_data') ?? {};
  const [choice] = arrayAt(raw, 'choices') ?? [];
  return defined({
    timestamp,
    model: stringAt(raw, 'model'),
    usage: openaiUsage(ownAt(raw, 'usage')) ?? openaiUsage(ownAt(fields, 'usage')),
    stopReason: isRecord(choice) ? stringAt(choice, 'finish_reason') : undefined,
    id: stringAt(raw, 'id'),
  });
}

function resultLine(fields: Fields): string {
  const info = recordAt(fields, 'reward_info') ?? {};
  const reward = ownAt(info, 'reward') ?? ownAt(fields, 'reward') ?? null;
  const reason = stringAt(fields, 'termination_reason');
  return `reward ${JSON.stringify(reward)}${reason === undefined ? '' : `, ended by ${reason}`}`;
}
