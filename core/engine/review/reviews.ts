import type { ProtocolError } from '../../protocol/methods.ts';
import type { ReviewSubject } from '../../protocol/reviewMethods.ts';
import type { Decision } from '../../scrub/scrubber.ts';
import { err, ok, type Result } from '../../util/result.ts';
import type { ClientWork } from '../clientWork.ts';
import type { Engine } from '../engine.ts';
import { failure, SUPERSEDED } from '../failures.ts';
import { type FinishedReview, finishReview } from './finishReview.ts';
import { leavingOf } from './leaving.ts';
import { type OpenReview, openReview } from './openReview.ts';

/** A review that a client has open, with what was made of it. */
export interface HeldReview {
  readonly id: string;
  /** What was asked for, and of what: another question is another review. */
  readonly question: string;
  readonly open: OpenReview;
  version: number;
  /** The file as decisions were at that version. */
  finished: { readonly version: number; readonly isSliced: boolean; readonly file: FinishedReview } | null;
}

const UNKNOWN = failure(
  'review.unknown',
  'The transcript has changed, or something else is reviewed. Open the review again.',
);

const UNFINISHED = failure('review.unfinished', 'The file is not made yet.');

/** The file as decisions are now, if it was made. Error: `review.unfinished`. */
export function finishedOf({ finished, version }: HeldReview): Result<FinishedReview, ProtocolError> {
  return finished?.version === version ? ok(finished.file) : err(UNFINISHED);
}

/** The reviews of all clients: one each, dropped with it. */
export class Reviews {
  readonly #engine: Engine;
  readonly #held = new Map<number, HeldReview>();
  readonly #scans: ClientWork;
  readonly #files: ClientWork;
  #count = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#scans = engine.clientWork();
    this.#files = engine.clientWork();
    engine.whenLeft((clientId) => this.#held.delete(clientId));
  }

  /** Looks through what would leave; the same again is at hand. Errors: those of `projection.set`, `request.superseded`. */
  async open(clientId: number, subject: ReviewSubject): Promise<Result<HeldReview, ProtocolError>> {
    const leaving = await leavingOf(this.#engine, subject);
    if (!leaving.ok) return leaving;
    const { session, at, parsed, findings, watchpoints, rules, inputs } = leaving.value;
    const { revision } = session.source.row();
    const about = [
      session.id,
      revision,
      session.source.length,
      at,
      parsed.spec,
      findings,
      watchpoints,
      rules,
      inputs.state,
    ];
    const question = JSON.stringify(about);
    const known = this.#held.get(clientId);
    if (known?.question === question && !known.open.leaving.session.closed) return ok(known);
    this.#held.delete(clientId);
    const scan = this.#scans.begin(clientId, question, () =>
      session.work.background('asked', (turn) => openReview(this.#engine, leaving.value, turn)),
    );
    const open = await scan.done;
    if (!open.ok) return err(SUPERSEDED);
    const held: HeldReview = { id: `review ${++this.#count}`, question, open: open.value, version: 0, finished: null };
    this.#held.set(clientId, held);
    return ok(held);
  }

  /**
   * The same for a file that nobody looks at before it is written: what was decided before holds, and candidates that nobody
   * decided about are masked. What the client has open stays open.
   */
  async openAlone(clientId: number, subject: ReviewSubject): Promise<Result<HeldReview, ProtocolError>> {
    const leaving = await leavingOf(this.#engine, subject);
    if (!leaving.ok) return leaving;
    const id = `review ${++this.#count}`;
    const { work } = leaving.value.session;
    const open = await this.#scans.begin(clientId, id, () =>
      work.background('asked', (turn) => openReview(this.#engine, leaving.value, turn)),
    ).done;
    if (!open.ok) return err(SUPERSEDED);
    open.value.review.decide(open.value.review.undecided, 'mask');
    return ok({ id, question: id, open: open.value, version: 0, finished: null });
  }

  /** The review that a client has open. Error: `review.unknown`. */
  of(clientId: number, id: string): Result<HeldReview, ProtocolError> {
    const held = this.#held.get(clientId);
    if (held?.id !== id || held.open.leaving.session.closed) return err(UNKNOWN);
    return ok(held);
  }

  close(clientId: number, id: string): void {
    if (this.#held.get(clientId)?.id !== id) return;
    this.#held.delete(clientId);
    this.#files.end(clientId);
  }

  /** Takes in a decision about values, and remembers it in the library. */
  async decide(held: HeldReview, keys: readonly string[], decision: Decision | null): Promise<void> {
    await this.#engine.writable();
    this.#engine.library.tables.scrubbing.decide(keys, decision, new Date().toISOString());
    held.open.review.decide(keys, decision);
    held.version++;
    held.finished = null;
  }

  /** The file as decisions are now, of all messages or of the slice. Error: `request.superseded`. */
  async finish(clientId: number, held: HeldReview, isSliced: boolean): Promise<Result<FinishedReview, ProtocolError>> {
    const { version, open } = held;
    if (held.finished?.version === version && held.finished.isSliced === isSliced) return ok(held.finished.file);
    const task = this.#files.begin(clientId, `${held.id} ${version} ${isSliced}`, () =>
      open.leaving.session.work.background('asked', (turn) => finishReview(this.#engine, open, { isSliced, turn })),
    );
    const made = await task.done;
    if (!made.ok || held.version !== version) return err(SUPERSEDED);
    held.finished = { version, isSliced, file: made.value };
    return ok(made.value);
  }
}
