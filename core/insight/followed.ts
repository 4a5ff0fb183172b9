import type { ReachedPoint } from '../projection/allCallPoints.ts';
import type { Fate, ViewItem } from '../view/types.ts';
import { fateAt } from './fateAt.ts';
import type { TracePoint } from './types.ts';
import { type SeenMessage, type Subject, stateIn } from './visibility.ts';

/** Whether the model sees a message or part, call point by call point on a walk along them (see followCallPoints). */
export class StateFollower {
  readonly #subject: Subject;
  readonly #read: (item: ViewItem, fate: Fate) => SeenMessage;
  readonly #known = new WeakMap<ViewItem, TracePoint['state']>();

  /** `read` = the edited message as it stands in the view; asked once for each wording. */
  constructor(subject: Subject, read: (item: ViewItem, fate: Fate) => SeenMessage) {
    this.#subject = subject;
    this.#read = read;
  }

  /** At the call point reached, which lies behind the message. */
  at({ view, stages }: ReachedPoint): TracePoint['state'] {
    const { index, part } = this.#subject;
    const item = view.source(index);
    if (item === null) return 'absent';
    if (item.text === undefined) return 'visible';
    if (part === null) return 'changed';
    const known = this.#known.get(item) ?? stateIn(true, this.#read(item, fateAt(stages, index)), part);
    this.#known.set(item, known);
    return known;
  }
}
