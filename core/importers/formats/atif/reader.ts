import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { TranscriptMeta } from '../../../model/transcript.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, Extent, humanText, isoTime, originOf, titleOf } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import { named, resultMessages, roleOf, stepMessage } from './step.ts';

const ID = 'atif';
const MAIN = 'main';

/** Reads steps in order; a trajectory held whole (a line, an embedded sub-agent's) step by step. */
export class AtifReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  // The call a sub-agent's session or trajectory was started by.
  readonly #callOf = new Map<string, string>();
  #extent = new Extent();
  #isTitled = false;
  #elements = 0;
  #whole = 0;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    const fields = isRecord(record.value) ? record.value : {};
    if (record.path.length > 0) this.#elements++;
    if (record.path[0] === 'subagent_trajectories') this.#subagent(record, fields);
    else if (record.path.length > 0) this.#mainStep(record, fields);
    else if (this.#elements > 0) this.#document(record, fields);
    else if (arrayAt(fields, 'steps'))
      this.#trajectory(record, fields, this.#whole++ === 0 ? MAIN : `${MAIN} ${this.#whole}`);
    else this.#unknown(record);
  }

  end(): void {
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  #begin(key: string, meta: TranscriptMeta): void {
    this.#extent = new Extent();
    this.#isTitled = false;
    this.#sink.begin(key, meta);
  }

  #mainStep(record: SourceRecord, fields: Fields): void {
    if (this.#sink.key === null) this.#begin(MAIN, { format: ID });
    this.#step(record, record.text, fields);
    if (this.#sink.key === MAIN) this.#sink.meta(this.#extent.meta());
  }

  #trajectory(record: SourceRecord, fields: Fields, key: string, more: Partial<TranscriptMeta> = {}): void {
    this.#begin(key, { format: ID, ...more });
    const list = sliceAt(record.text, ['steps']) ?? '[]';
    const steps = arrayAt(fields, 'steps') ?? [];
    for (const [at, { start, end }] of elementSpans(list, 0).entries()) {
      const step = steps[at];
      this.#step(record, list.slice(start, end), isRecord(step) ? step : {});
    }
    this.#sink.meta({ ...trajectoryMeta(record.text, fields), ...this.#extent.meta() });
    this.#result(record, fields);
  }

  #subagent(record: SourceRecord, fields: Fields): void {
    if (this.#sink.key === null) this.#begin(MAIN, { format: ID });
    // What is left of a trajectory that is damaged.
    if (!arrayAt(fields, 'steps')) {
      this.#unknown(record);
      return;
    }
    const ids = ['trajectory_id', 'session_id'].flatMap((key) => named(fields, key) ?? []);
    const parentCallId = ids.map((id) => this.#callOf.get(id)).find((call) => call !== undefined);
    const agentId = ids[0];
    const key = `${agentId ?? 'sub-agent'} ${String(record.path[1])}`;
    const extent = this.#extent;
    const isTitled = this.#isTitled;
    this.#trajectory(record, fields, key, { parentKey: MAIN, ...defined({ agentId, parentCallId }) });
    this.#begin(MAIN, { format: ID });
    this.#extent = extent;
    this.#isTitled = isTitled;
  }

  // What stands around the steps.
  #document(record: SourceRecord, fields: Fields): void {
    this.#sink.meta({ ...trajectoryMeta(record.text, fields), ...this.#extent.meta() });
    this.#result(record, fields);
  }

  #result(record: SourceRecord, fields: Fields): void {
    if (recordAt(fields, 'final_metrics')) {
      const metrics = sliceAt(record.text, ['final_metrics']) ?? '{}';
      this.#event(record, 'result', 'final metrics of the run', metrics);
    } else if ((record.path.length > 0 || this.#elements === 0) && this.#sink.length === 0) {
      this.#event(record, 'document', 'a trajectory without steps', record.text);
    }
  }

  #step(record: SourceRecord, text: string, step: Fields): void {
    const role = roleOf(step);
    this.#extent.time(isoTime(ownAt(step, 'timestamp')));
    this.#noteSubagents(step);
    if (role === null) {
      this.#tally.add('import.unknown_record', originOf(record), stringAt(step, 'source') ?? 'untyped');
      this.#event(
        record,
        'unknown:source',
        titleOf(stringAt(step, 'message') ?? '') ?? 'a step of unknown source',
        text,
      );
    } else if (role === 'system' && refsOf(step).length > 0) this.#compaction(record, text, step);
    else this.#messages(record, text, step, role);
  }

  #messages(record: SourceRecord, text: string, step: Fields, role: string): void {
    const said = stepMessage(text, step, role);
    this.#extent.model(said.meta.model);
    if (role === 'user' && !this.#isTitled) this.#title(step);
    for (const message of [said, ...resultMessages(text, step)]) {
      const value: unknown = JSON.parse(message.text);
      this.#sink.message({ text: message.text, value, meta: message.meta, origins: [originOf(record)] });
    }
  }

  #title(step: Fields): void {
    const title = humanText(ownAt(step, 'message'));
    if (title === undefined) return;
    this.#isTitled = true;
    this.#sink.meta({ title });
  }

  // The client's note that sub-agents summarised what came before; their trajectories are other files.
  #compaction(record: SourceRecord, text: string, step: Fields): void {
    const at = this.#sink.length;
    const line = titleOf(stringAt(step, 'message') ?? '') ?? 'the context was summarised';
    const timestamp = isoTime(ownAt(step, 'timestamp'));
    const event = { kind: 'compaction', at, visibility: 'internal' as const, text: line, ...defined({ timestamp }) };
    this.#sink.compaction({ ...event, json: text, origin: originOf(record) }, { at });
  }

  #noteSubagents(step: Fields): void {
    const [onlyCall, ...others] = arrayAt(step, 'tool_calls') ?? [];
    for (const { ref, call } of refsOf(step)) {
      const own = call ?? (others.length === 0 && isRecord(onlyCall) ? named(onlyCall, 'tool_call_id') : undefined);
      for (const key of ['trajectory_id', 'session_id']) {
        const id = named(ref, key);
        if (id !== undefined && own !== undefined) this.#callOf.set(id, own);
      }
    }
  }

  #unknown(record: SourceRecord): void {
    if (this.#sink.key === null) this.#begin(MAIN, { format: ID });
    this.#tally.add('import.unknown_record', originOf(record), 'untyped');
    this.#event(record, 'unknown:untyped', 'a record without steps', record.text);
  }

  #event(record: SourceRecord, kind: string, text: string, json: string): void {
    const at = this.#sink.length;
    this.#sink.event({ kind, at, visibility: 'internal', text, json, origin: originOf(record) });
  }
}

/** The trajectories of sub-agents that a step's results point to, each with the call it answers. */
function refsOf(step: Fields): readonly { readonly ref: Fields; readonly call: string | undefined }[] {
  const results = arrayAt(recordAt(step, 'observation') ?? {}, 'results') ?? [];
  return results.filter(isRecord).flatMap((result) => {
    const refs = arrayAt(result, 'subagent_trajectory_ref') ?? [];
    return refs.filter(isRecord).map((ref) => ({ ref, call: named(result, 'source_call_id') }));
  });
}

function trajectoryMeta(text: string, fields: Fields): Partial<TranscriptMeta> {
  const agent = recordAt(fields, 'agent') ?? {};
  const model = named(agent, 'model_name');
  return defined({
    sessionId: named(fields, 'session_id'),
    toolVersion: named(agent, 'version'),
    models: model === undefined ? undefined : [model],
    toolsJson: arrayAt(agent, 'tool_definitions')
      ? (sliceAt(text, ['agent', 'tool_definitions']) ?? undefined)
      : undefined,
  });
}
