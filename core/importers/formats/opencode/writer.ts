// Writes turns into the transcripts of their sessions.

import type { ImportSink } from '../../../model/importSink.ts';
import type { Origin, TranscriptMeta } from '../../../model/transcript.ts';
import { type Fields, isRecord, ownAt, recordAt, stringAt } from '../../../util/unknown.ts';
import { defined, Extent, humanText, isoTime } from '../../reading/shared.ts';
import { Tally } from '../../reading/tally.ts';
import { TrackingSink } from '../../reading/trackingSink.ts';
import { isScrubbed } from './part.ts';
import { itemsOf, type Piece, type Turn, type TurnItem } from './turn.ts';

const ID = 'opencode';
const MAIN = 'main';

/** What is known of a session apart from its messages. */
interface Session {
  readonly extent: Extent;
  /** Source index of each message's first, by message id: a compaction names its first kept message. */
  readonly starts: Map<string, number>;
  meta: Partial<TranscriptMeta>;
  title: string | undefined;
  firstWords: string | undefined;
  parentId: string | undefined;
  requested: Fields | undefined;
  /** Outputs that were cleared at a time not reached yet. */
  cleared: Cleared[];
}

type Cleared = Extract<TurnItem, { kind: 'cleared' }>;

/** One transcript a session; `session` undefined or scrubbed = the one being written. */
export class SessionWriter {
  readonly #sink: TrackingSink;
  readonly #tally = new Tally();
  readonly #sessions = new Map<string, Session>();
  /** Calls by the sessions they started. */
  readonly #callOf = new Map<string, string>();

  constructor(sink: ImportSink) {
    this.#sink = new TrackingSink(sink);
  }

  /** Goes to the transcript of a session. */
  enter(session: string | undefined): void {
    this.#enter(session);
  }

  /**
   * Completes what is known of a session from its info (`id`, `directory`, `title`, `version`, `parentID`). `stay` = it
   * is the one being written, whatever the ids say: a scrubber may have replaced some of them.
   */
  learn(info: Fields, stay = false): void {
    const session = this.#enter(stay ? undefined : stringAt(info, 'id'));
    const sessionId = nameIn(info, 'id');
    const known = { sessionId, cwd: stringAt(info, 'directory'), toolVersion: stringAt(info, 'version') };
    session.meta = { ...session.meta, ...defined(known) };
    session.parentId = stringAt(info, 'parentID') ?? session.parentId;
    const title = stringAt(info, 'title');
    if (title !== undefined && !title.startsWith('New session - ')) session.title = title;
    const time = recordAt(info, 'time') ?? {};
    session.extent.time(isoTime(ownAt(time, 'created')));
  }

  /** The system prompt of a session's requests: its JSON text. */
  system(session: string | undefined, systemJson: string): void {
    const known = this.#enter(session);
    known.meta = { ...known.meta, systemJson };
  }

  /** `stay` as in {@link learn}. */
  turn(turn: Turn, stay = false): void {
    const { fields } = turn.info;
    const session = this.#enter(stay && this.#sink.key !== null ? undefined : stringAt(fields, 'sessionID'));
    const id = stringAt(fields, 'id');
    if (id !== undefined && !isScrubbed(id)) session.starts.set(id, this.#sink.length);
    const cwd = stringAt(recordAt(fields, 'path') ?? {}, 'cwd');
    session.meta = { ...defined({ sessionId: nameIn(fields, 'sessionID'), cwd }), ...session.meta };
    const request = turn.parts.find((part) => stringAt(part.fields, 'type') === 'compaction');
    if (request) session.requested = request.fields;
    let isSummary = stringAt(fields, 'role') === 'assistant' && ownAt(fields, 'summary') === true;
    for (const item of itemsOf(turn)) {
      if (isSummary && item.kind === 'message') {
        this.#compaction(session, turn.info);
        isSummary = false;
      }
      this.#item(session, item);
    }
  }

  /** An event of a session; an unknown one is said in the problems. */
  event(session: string | undefined, kind: string, text: string, json: string, origin: Origin): void {
    this.#enter(session);
    if (kind.startsWith('unknown:')) this.#tally.add('import.unknown_record', origin, kind.replace('unknown:', ''));
    this.#sink.event({ kind, at: this.#sink.length, visibility: 'internal', text, json, origin });
  }

  end(): void {
    for (const [key, session] of this.#sessions) {
      this.#sink.begin(key, { format: ID });
      this.#clear(session, undefined);
      const { parentId } = session;
      const parentSessionId = parentId === undefined || isScrubbed(parentId) ? undefined : parentId;
      const parentKey = parentId !== undefined && this.#sessions.has(parentId) ? parentId : undefined;
      const parentCallId = this.#callOf.get(key);
      const title = session.title ?? session.firstWords;
      this.#sink.meta({
        ...session.extent.meta(),
        ...session.meta,
        ...defined({ title, parentKey, parentCallId, parentSessionId }),
      });
    }
    for (const problem of this.#tally.problems()) this.#sink.problem(problem);
  }

  #enter(session: string | undefined): Session {
    const isName = session !== undefined && !isScrubbed(session);
    const key = isName ? session : (this.#sink.key ?? MAIN);
    if (this.#sink.key !== key) this.#sink.begin(key, { format: ID });
    const known = this.#sessions.get(key);
    if (known) return known;
    const fresh: Session = {
      extent: new Extent(),
      starts: new Map(),
      meta: {},
      title: undefined,
      firstWords: undefined,
      parentId: undefined,
      requested: undefined,
      cleared: [],
    };
    this.#sessions.set(key, fresh);
    return fresh;
  }

  #item(session: Session, item: TurnItem): void {
    if (item.kind === 'started') {
      this.#callOf.set(item.session, item.callId);
      if (!isScrubbed(item.session)) this.#sink.spawn({ callId: item.callId, sessionId: item.session });
      return;
    }
    if (item.kind === 'cleared') {
      session.cleared.push(item);
      return;
    }
    if (item.kind === 'event') {
      const [origin, ...pieces] = item.piece.origins;
      if (origin) this.event(undefined, item.name, item.text, item.piece.text, origin);
      // The part is sent with all its text, and so are the records it came in.
      for (const piece of pieces)
        this.event(undefined, 'message.part.delta', 'a piece of the part before', '{}', piece);
      return;
    }
    const value: unknown = JSON.parse(item.text);
    session.extent.time(item.meta.timestamp);
    session.extent.model(item.meta.model);
    if (item.meta.timestamp !== undefined && item.meta.model !== undefined) this.#clear(session, item.meta.timestamp);
    this.#sink.message({ text: item.text, value, meta: item.meta, origins: item.origins });
    const isPerson = isRecord(value) && value.role === 'user' && item.meta.injected !== true;
    if (isPerson) session.firstWords ??= humanText(ownAt(value, 'content'));
  }

  // Outputs are cleared between requests: those of a time before an answer's were not in its request.
  #clear(session: Session, before: string | undefined): void {
    const due = session.cleared.filter(({ time }) => before === undefined || time <= before);
    const [first] = due;
    const [origin] = first?.piece.origins ?? [];
    if (!first || !origin) return;
    session.cleared = session.cleared.filter((one) => !due.includes(one));
    const at = this.#sink.length;
    const text = `${due.length} tool ${due.length === 1 ? 'output was' : 'outputs were'} cleared`;
    const json = first.piece.text;
    this.#sink.compaction(
      { kind: 'compaction', at, visibility: 'internal', text, timestamp: first.time, json, origin },
      { kind: 'cleared', at, clearedCallIds: due.map(({ callId }) => callId) },
    );
  }

  // The message before asked for it, and says from which message on the tail goes along.
  #compaction(session: Session, info: Piece): void {
    const at = this.#sink.length;
    const [origin] = info.origins;
    const asked = session.requested ?? {};
    session.requested = undefined;
    const auto = ownAt(asked, 'auto');
    const from = session.starts.get(stringAt(asked, 'tail_start_id') ?? '');
    const preserved =
      from === undefined ? undefined : Array.from({ length: at - from }, (_none, index) => from + index);
    const trigger = auto === true ? 'auto' : auto === false ? 'manual' : undefined;
    const text = `compaction${trigger === undefined ? '' : ` (${trigger})`}`;
    if (!origin) return;
    const event = { kind: 'compaction', at, visibility: 'internal', text, json: info.text, origin } as const;
    this.#sink.compaction(event, { at, summaryIndex: at, ...defined({ trigger, preserved }) });
  }
}

// An id, unless a scrubber replaced it.
function nameIn(fields: Fields, key: string): string | undefined {
  const id = stringAt(fields, key);
  return id === undefined || isScrubbed(id) ? undefined : id;
}
