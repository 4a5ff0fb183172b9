import { BUNDLE_FORMAT } from '../../../model/bundleFormat.ts';
import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import { PROJECTION_EVENT } from '../../../model/lineage.ts';
import type { MessageMeta } from '../../../model/message.ts';
import type { SummaryArtifact } from '../../../model/summary.ts';
import type { PlacedCompaction, TranscriptMeta } from '../../../model/transcript.ts';
import { countOf } from '../../../util/counts.ts';
import { isRecord, numberAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, Extent, originOf } from '../../reading/shared.ts';
import { sliceAt } from '../../reading/slices.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import { compactionOf, foreignVersion, metaOf, originOfBundle, summaryOf } from './head.ts';

const AGAIN = 'worked out again from the messages and the spec';
const ASK = 'Ask for the file again.';

/** Reads the raw slice of a bundle: its messages byte for byte, under the numbers they had. */
export class BundleReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #head: unknown;
  readonly #newer: string | null;
  readonly #metas = new Map<number, MessageMeta>();
  readonly #compactions: { readonly record: SourceRecord; readonly compaction: PlacedCompaction }[] = [];
  /** They are events behind all others: no compaction of the bundle came after them. */
  readonly #projections: SourceRecord[] = [];
  readonly #summaries: SummaryArtifact[] = [];
  readonly #extent = new Extent();
  #document: SourceRecord | null = null;

  /** `head` = what the beginning of the file holds of the document. */
  constructor(sink: ImportSink, head: unknown) {
    this.#sink = new TrackingSink(sink);
    this.#head = head;
    this.#newer = foreignVersion(head);
  }

  record(record: SourceRecord): void {
    if (this.#newer !== null) {
      if (record.path.length > 0) this.#sink.ignored(record, 'of a version that is not read here');
      return;
    }
    if (this.#sink.key === null) this.#begin();
    const [member, list, index] = record.path;
    if (member === undefined) this.#document = record;
    else if (member !== 'raw' || typeof index !== 'number') this.#sink.ignored(record, AGAIN);
    else if (list === 'messages') this.#message(record, index);
    else if (list === 'meta') this.#meta(record, index);
    else if (list === 'summaries') this.#summary(record);
    else if (list === 'projections') this.#projections.push(record);
    else this.#compaction(record);
  }

  // The head shows what the whole document says, if it holds a member that is behind all of it.
  #begin(): void {
    const isWhole = isRecord(this.#head) && Object.hasOwn(this.#head, 'tokens');
    const bundle = isWhole ? originOfBundle(this.#head) : null;
    this.#sink.begin('bundle', {
      format: BUNDLE_FORMAT,
      ...(bundle !== null && { bundle, title: bundle.transcript.title }),
    });
  }

  #message(record: SourceRecord, index: number): void {
    this.#place(this.#sink.length);
    if (!isRecord(record.value)) {
      this.#damaged(`message ${index} is no JSON object`, record);
      this.#unknown(record, `message ${index} is no JSON object`);
      return;
    }
    const meta = this.#metas.get(index) ?? {};
    this.#extent.time(meta.timestamp);
    this.#extent.model(meta.model);
    this.#sink.message({ text: record.text, value: record.value, meta, origins: [originOf(record)] });
  }

  #meta(record: SourceRecord, index: number): void {
    this.#metas.set(index, metaOf(record.value));
    this.#sink.ignored(record, 'stands with its message');
  }

  #summary(record: SourceRecord): void {
    const summary = summaryOf(record.value);
    if (summary === null) this.#damaged('a summary is not as it should be', record);
    else this.#summaries.push(summary);
    this.#sink.ignored(record, 'stands beside the messages');
  }

  #compaction(record: SourceRecord): void {
    const compaction = compactionOf(record.value);
    if (compaction !== null) this.#compactions.push({ record, compaction });
    else {
      this.#damaged('a compaction is not as it should be', record);
      this.#unknown(record, 'a compaction that cannot be read');
    }
  }

  #projection(record: SourceRecord): void {
    const at = isRecord(record.value) ? numberAt(record.value, 'at') : undefined;
    const json = sliceAt(record.text, ['event']);
    if (at === undefined || json === null) {
      this.#damaged('a recorded projection is not as it should be', record);
      this.#unknown(record, 'a recorded projection that cannot be read');
      return;
    }
    const origin = originOf(record);
    this.#sink.event({ kind: PROJECTION_EVENT, at, visibility: 'internal', text: PROJECTION_EVENT, json, origin });
  }

  /** Puts the compactions before message `at` in their place, in the order they were recorded. */
  #place(at: number): void {
    for (let next = this.#compactions[0]; next !== undefined && next.compaction.at <= at; next = this.#compactions[0]) {
      this.#compactions.shift();
      const { record, compaction } = next;
      const { timestamp, ...recorded } = compaction;
      const event = {
        kind: 'compaction',
        at: recorded.at,
        visibility: 'internal' as const,
        text: 'compaction',
        json: record.text,
        origin: originOf(record),
      };
      this.#sink.compaction({ ...event, ...defined({ timestamp }) }, recorded);
    }
  }

  #unknown(record: SourceRecord, text: string): void {
    const [at, json, origin] = [this.#sink.length, record.text, originOf(record)];
    this.#sink.event({ kind: 'unknown:bundle', at, visibility: 'internal', text, json, origin });
  }

  #damaged(what: string, record?: SourceRecord): void {
    const where = record === undefined ? {} : { where: originOf(record) };
    const text = `The bundle is damaged: ${what}. ${ASK}`;
    this.#sink.problem({ code: 'import.bundle_damaged', severity: 'error', text, ...where });
  }

  end(): void {
    if (this.#newer !== null) {
      const text = `The bundle has version ${this.#newer}; this program reads versions 1 and 2. Update Parallax.`;
      this.#sink.problem({ code: 'import.bundle_version', severity: 'error', text });
      return;
    }
    if (this.#sink.key === null) this.#begin();
    this.#place(Number.POSITIVE_INFINITY);
    for (const record of this.#projections) this.#projection(record);
    const bundle = originOfBundle(this.#document?.value);
    if (bundle === null) {
      this.#damaged('its head (transcript, spec, at, prefix_hash) is missing or not as it should be');
      return;
    }
    if (bundle.at !== this.#sink.length) {
      this.#damaged(
        `it is of the call point before message ${bundle.at}, and holds ${countOf(this.#sink.length, 'message')}`,
      );
    }
    const summaries = this.#summaries.length > 0 ? { summaries: this.#summaries } : {};
    const { title, model } = bundle.transcript;
    this.#sink.meta({ title, bundle: { ...bundle, ...summaries }, ...this.#recorded(), ...this.#extent.meta() });
    if (model !== undefined) this.#sink.meta({ models: this.#modelsUpTo(model) });
  }

  /** The one it was counted for is the last: later messages than these may have been another's. */
  #modelsUpTo(last: string): readonly string[] {
    const { models = [] } = this.#extent.meta();
    return [...models.filter((model) => model !== last), last];
  }

  /** What the transcript records apart from its messages, as it is in the document. */
  #recorded(): Partial<TranscriptMeta> {
    const { text = '{}', value } = this.#document ?? {};
    const raw = isRecord(value) ? recordAt(value, 'raw') : undefined;
    const member = (name: string) => sliceAt(text, ['raw', 'request', name]) ?? undefined;
    return defined({
      summary: raw && stringAt(raw, 'summary'),
      systemJson: member('system'),
      toolsJson: member('tools'),
      settingsJson: member('settings'),
    });
  }
}
