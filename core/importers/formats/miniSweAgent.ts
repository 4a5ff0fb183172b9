// Trajectories of mini-swe-agent: messages of chat completions, with what the agent notes of each under `extra`.

import type { ImportSink, SourceRecord } from '../../model/importSink.ts';
import type { MessageMeta } from '../../model/message.ts';
import { countOf } from '../../util/counts.ts';
import { arrayAt, type Fields, isRecord, numberAt, ownAt, recordAt, stringAt } from '../../util/unknown.ts';
import { defined, Extent, humanText, isoTime, openaiUsage, originOf, titleOf } from '../reading/shared.ts';
import { sliceAt } from '../reading/slices.ts';
import { Tally } from '../reading/tally.ts';
import { TrackingSink } from '../reading/trackingSink.ts';
import type { Detection, Format, FormatReader, Sniff } from '../types.ts';

const ID = 'mini-swe-agent';
const LOOKS_FOR = 'trajectory_format mini-swe-agent-…, or info with mini_version, and messages';
const OUTPUT = /^\s*<(returncode|output|exception)>/;
const COMMAND = /```(mswea_bash_command|bash)\n/;

/** One run: its messages with their exact texts; the message that ends it is an event. */
export const miniSweAgent: Format = {
  id: ID,
  title: 'mini-swe-agent trajectory',
  looksFor: LOOKS_FOR,
  recovers: ['calls', 'results', 'errors', 'usage', 'models', 'folder', 'times'],
  detect,
  elements: [['messages', '*'], ['*']],
  readerVersion: 2,
  open: (sink) => new MiniSweAgentReader(sink),
};

function detect(sniff: Sniff): Detection {
  const [value] = sniff.values;
  const score = Array.isArray(value) ? scoreOfList(value) : isRecord(value) ? scoreOf(value) : 0;
  return { score, why: score > 0 ? 'a run of mini-swe-agent' : `looked for ${LOOKS_FOR}` };
}

function scoreOf(document: Fields): number {
  if (stringAt(document, 'trajectory_format')?.startsWith('mini-swe-agent')) return 1;
  const info = recordAt(document, 'info') ?? {};
  if (Object.hasOwn(info, 'mini_version')) return 0.95;
  const agent = recordAt(recordAt(info, 'config') ?? {}, 'agent') ?? {};
  return Object.hasOwn(agent, 'system_template') && Object.hasOwn(agent, 'instance_template') ? 0.9 : 0;
}

// The first releases wrote the messages alone: commands in a block of their own mark, outputs with a return code.
function scoreOfList(values: readonly unknown[]): number {
  const [system, ...others] = values.slice(0, 8).map((value) => (isRecord(value) ? value : {}));
  const text = (message: Fields): string => stringAt(message, 'content') ?? '';
  if (!system || stringAt(system, 'role') !== 'system' || !COMMAND.test(text(system))) return 0;
  const isRun = others.some((message) => message.role === 'user' && OUTPUT.test(text(message)));
  return text(system).includes('mswea_bash_command') || isRun ? 0.8 : 0;
}

class MiniSweAgentReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #extent = new Extent();
  readonly #tally = new Tally();
  #isTitled = false;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    if (this.#sink.key === null) this.#sink.begin('main', { format: ID });
    const fields = isRecord(record.value) ? record.value : {};
    if (record.path.length === 0) this.#document(record, fields);
    else if (stringAt(fields, 'role') === 'exit') this.#exit(record, fields);
    else if (stringAt(fields, 'role') !== undefined) this.#message(record, fields);
    else this.#unknown(record);
  }

  end(): void {
    if (this.#sink.key !== null) this.#sink.meta(this.#extent.meta());
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  #message(record: SourceRecord, fields: Fields): void {
    const meta = metaOf(fields);
    this.#extent.time(meta.timestamp);
    this.#extent.model(meta.model);
    if (stringAt(fields, 'role') === 'user' && !this.#isTitled) this.#title(fields);
    this.#sink.message({ text: record.text, value: fields, meta, origins: [originOf(record)] });
  }

  #title(fields: Fields): void {
    const title = humanText(stringAt(fields, 'content')?.replace(/^\s*<pr_description>\s*/, ''));
    if (title === undefined) return;
    this.#isTitled = true;
    this.#sink.meta({ title });
  }

  // Written when the run is over: no model was given it.
  #exit(record: SourceRecord, fields: Fields): void {
    const status = stringAt(recordAt(fields, 'extra') ?? {}, 'exit_status');
    this.#note(record, 'exit', `the run ended${status === undefined ? '' : `: ${status}`}`);
  }

  #document(record: SourceRecord, fields: Fields): void {
    const info = recordAt(fields, 'info');
    if (!info) {
      if (this.#sink.length === 0) this.#note(record, 'document', 'a run without messages');
      return;
    }
    const config = recordAt(info, 'config') ?? {};
    // Answers name the model that gave them; the configuration's name for it counts only where they don't.
    if (!this.#extent.meta().models) this.#extent.model(stringAt(recordAt(config, 'model') ?? {}, 'model_name'));
    this.#sink.meta(
      defined({
        sessionId: stringAt(fields, 'instance_id'),
        toolVersion: stringAt(info, 'mini_version'),
        cwd: stringAt(recordAt(config, 'environment') ?? {}, 'cwd') || undefined,
      }),
    );
    const calls = numberAt(recordAt(info, 'model_stats') ?? {}, 'api_calls');
    const status = stringAt(info, 'exit_status') ?? 'no status';
    const text = `${status}${calls === undefined ? '' : `, ${countOf(calls, 'model call')}`}`;
    this.#note(record, 'result', text, sliceAt(record.text, ['info']) ?? '{}');
  }

  #unknown(record: SourceRecord): void {
    this.#tally.add('import.unknown_record', originOf(record), 'untyped');
    this.#note(record, 'unknown:untyped', 'an entry without a role');
  }

  #note(record: SourceRecord, kind: string, text: string, json = record.text): void {
    const at = this.#sink.length;
    const line = titleOf(text) ?? kind;
    this.#sink.event({ kind, at, visibility: 'internal', text: line, json, origin: originOf(record) });
  }
}

function metaOf(message: Fields): MessageMeta {
  const extra = recordAt(message, 'extra') ?? {};
  const response = recordAt(extra, 'response') ?? {};
  const [choice] = arrayAt(response, 'choices') ?? [];
  const callId = stringAt(message, 'tool_call_id');
  const failed = callId !== undefined && (numberAt(extra, 'returncode') ?? 0) !== 0;
  const isOutput = stringAt(message, 'role') === 'user' && OUTPUT.test(stringAt(message, 'content') ?? '');
  return defined({
    timestamp: isoTime(ownAt(extra, 'timestamp')),
    model: stringAt(response, 'model'),
    usage: openaiUsage(ownAt(response, 'usage')),
    stopReason: isRecord(choice) ? stringAt(choice, 'finish_reason') : undefined,
    id: stringAt(response, 'id'),
    injected: isOutput ? true : undefined,
    failedCallIds: failed ? [callId] : undefined,
  });
}
