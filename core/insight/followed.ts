import type { TranscriptSource } from '../model/transcript.ts';
import type { ReachedPoint } from '../projection/allCallPoints.ts';
import type { ViewItem } from '../view/types.ts';
import { type Subject, SubjectReader } from './subject.ts';
import type { TracePoint } from './types.ts';

/** Whether the request holds a message or part, call point by call point on a walk along them (see followCallPoints). */
export class StateFollower {
  readonly #reader: SubjectReader;
  readonly #items = new Set<ViewItem>();
  #state: TracePoint['state'] = 'absent';

  constructor(source: TranscriptSource, subject: Subject) {
    this.#reader = new SubjectReader(source, subject);
  }

  /** At the call point reached, which lies behind the message. */
  at({ view }: ReachedPoint): TracePoint['state'] {
    let isOther = false;
    const come: ViewItem[] = [];
    for (const [cell, before] of view.changed) {
      for (const item of before) if (this.#items.delete(item)) isOther = true;
      come.push(...view.at(cell).filter((item) => this.#reader.concerns(item)));
    }
    for (const item of come) this.#items.add(item);
    if (isOther || come.length > 0) this.#state = this.#reader.state([...this.#items]);
    return this.#state;
  }
}
