import type { ImportSink, SourceRecord } from '../../../model/importSink.ts';
import type { Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { replaceAt } from '../../../util/json/index.ts';
import { arrayAt, type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, Extent, humanText, originOf } from '../../reading/shared.ts';
import { elementSpans, sliceAt } from '../../reading/slices.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import type { FormatReader } from '../../types.ts';
import { type NodeMessage, type NodeNote, nodeMessages, nodeNotes, scoreOf } from './node.ts';
import { pathsOf, type TreeNode } from './tree.ts';

const MAIN = 'main';

interface HeldNode extends TreeNode {
  readonly name: string;
  readonly messages: readonly NodeMessage[];
  readonly notes: readonly NodeNote[];
  readonly origin: Origin;
}

/** Holds what the nodes say until the end of a tree, because only then it is known which leaf is the best. */
export class MoatlessReader implements FormatReader {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  readonly #nodes: HeldNode[] = [];
  readonly #serials = new Map<number, number>();
  // Nodes whose notes are reported: of those that paths share only the first path reports them.
  readonly #noted = new Set<number>();
  #trees = 0;

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  record(record: SourceRecord): void {
    const fields = isRecord(record.value) ? record.value : {};
    if (record.path.length > 0) this.#node(record, record.text, fields);
    else this.#document(record, fields);
  }

  end(): void {
    if (this.#nodes.length > 0) this.#write({ format: 'moatless' });
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  // A node whose parent is not there (it is broken) follows the node before it.
  #node(record: SourceRecord, text: string, fields: Fields): void {
    const serial = this.#nodes.length;
    const parentId = ownAt(fields, 'parent_id');
    const known = typeof parentId === 'number' ? this.#serials.get(parentId) : undefined;
    const isRoot = serial === 0 || parentId === null;
    if (!isRoot && known === undefined) this.#tally.add('import.missing_parent', originOf(record));
    const id = ownAt(fields, 'node_id');
    if (typeof id === 'number') this.#serials.set(id, serial);
    const messages = nodeMessages(text, fields);
    this.#nodes.push({
      parent: known ?? (isRoot ? -1 : serial - 1),
      speaks: messages.length > 0,
      score: scoreOf(fields),
      name: typeof id === 'number' ? `node ${id}` : `node at byte ${record.byteStart}`,
      messages,
      notes: nodeNotes(text, fields, messages.length > 0),
      origin: originOf(record),
    });
  }

  // What stands around the nodes; of a line, all of it.
  #document(record: SourceRecord, fields: Fields): void {
    const list = sliceAt(record.text, ['nodes']);
    const values = arrayAt(fields, 'nodes') ?? [];
    for (const [at, { start, end }] of (list?.startsWith('[') ? elementSpans(list, 0) : []).entries()) {
      const value = values[at];
      this.#node(record, list?.slice(start, end) ?? '', isRecord(value) ? value : {});
    }
    this.#write({ format: 'moatless', ...treeMeta(record.text, fields) });
    const json = list === null ? record.text : replaceAt(record.text, ['nodes'], '[]');
    const evaluation = stringAt(recordAt(fields, 'metadata') ?? {}, 'evaluation_name');
    const at = this.#sink.length;
    const text = evaluation ?? 'what is known of the search';
    this.#sink.event({ kind: 'result', at, visibility: 'internal', text, json, origin: originOf(record) });
  }

  /** Writes the tree that was collected; the main path's transcript is the current one afterwards. */
  #write(meta: TranscriptMeta): void {
    const name = this.#trees === 0 ? MAIN : `${MAIN} ${this.#trees + 1}`;
    this.#trees++;
    const { paths, silent } = pathsOf(this.#nodes);
    const [main, ...others] = paths;
    this.#path(name, meta, main?.nodes ?? []);
    for (const serial of silent) this.#notes(serial);
    for (const other of others) {
      const branchAt = other.nodes.slice(0, other.shared).reduce((sum, at) => sum + this.#messagesOf(at).length, 0);
      const leaf = this.#nodes[other.leaf]?.name ?? 'node';
      this.#path(`${name} ${leaf}`, { ...meta, branchOf: name, branchAt }, other.nodes);
    }
    if (others.length > 0) {
      this.#sink.begin(name, { format: 'moatless' });
      const rest =
        others.length === 1 ? 'is another leaf, whose path is' : `are ${others.length} other leaves, each path`;
      const text = `The search went several ways: apart from the main path there ${rest} a separate transcript.`;
      this.#sink.problem({ code: 'import.branches', severity: 'info', text });
    }
    this.#nodes.length = 0;
    this.#serials.clear();
    this.#noted.clear();
  }

  #messagesOf(serial: number): readonly NodeMessage[] {
    return this.#nodes[serial]?.messages ?? [];
  }

  #path(key: string, meta: TranscriptMeta, path: readonly number[]): void {
    this.#sink.begin(key, meta);
    const extent = new Extent();
    for (const model of meta.models ?? []) extent.model(model);
    let title: string | undefined;
    for (const serial of path) {
      const node = this.#nodes[serial];
      if (!node) continue;
      for (const { text, meta: own } of node.messages) {
        const value: unknown = JSON.parse(text);
        extent.model(own.model);
        if (isRecord(value) && value.role === 'user') title ??= titleIn(value);
        this.#sink.message({ text, value, meta: own, origins: [node.origin] });
      }
      this.#notes(serial);
    }
    this.#sink.meta({ ...extent.meta(), ...defined({ title }) });
  }

  #notes(serial: number): void {
    const node = this.#nodes[serial];
    if (!node || this.#noted.has(serial)) return;
    this.#noted.add(serial);
    const { origin } = node;
    for (const { kind, line, json } of node.notes) {
      this.#sink.event({ kind, at: this.#sink.length, visibility: 'internal', text: line, json, origin });
    }
  }
}

function titleIn(message: Fields): string | undefined {
  const text = stringAt(message, 'content');
  return humanText(text?.replace(/^\s*<task>\s*|\s*<\/task>\s*$/g, ''));
}

function treeMeta(text: string, fields: Fields): Partial<TranscriptMeta> {
  const agent = recordAt(fields, 'agent') ?? {};
  const model = stringAt(recordAt(agent, 'completion') ?? {}, 'model');
  const metadata = recordAt(fields, 'metadata') ?? {};
  return defined({
    sessionId: stringAt(metadata, 'instance_id') ?? stringAt(fields, 'trajectory_id'),
    systemJson:
      stringAt(agent, 'system_prompt') === undefined
        ? undefined
        : (sliceAt(text, ['agent', 'system_prompt']) ?? undefined),
    models: model === undefined ? undefined : [model],
  });
}
