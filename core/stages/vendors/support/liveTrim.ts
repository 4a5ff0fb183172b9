// LangChain's trimming along the call points: what is kept is a stretch whose ends move.
import type { IncrementalContext } from '../../../view/incremental.ts';
import { itemTokens } from '../../../view/tokens.ts';
import {
  goneFate,
  isKept,
  type Kept,
  keptOf,
  partialFate,
  TrimIndex,
  type TrimParams,
} from '../langchainTrimMessages.ts';
import { LiveDecisions } from './liveDecisions.ts';
import { typeOf } from './messageType.ts';

const NOTHING: Kept = { head: 0, from: 0, to: 0, partial: null };

/** The live form of langchain_trim_messages. */
export class LiveTrim extends LiveDecisions {
  readonly #params: TrimParams;
  #index = new TrimIndex();
  #kept = NOTHING;
  /** How many messages were there when what is shown was chosen. */
  #length = 0;

  constructor(params: TrimParams, given: IncrementalContext) {
    super(given);
    this.#params = params;
  }

  protected reset(): void {
    this.#index = new TrimIndex();
    this.#kept = NOTHING;
    this.#length = 0;
  }

  protected push(position: number): void {
    const tokens = itemTokens(this.reader.item(position), this.context);
    this.#index.push(typeOf(this.reader.facts(position)), tokens, this.#params);
  }

  protected settle(): void {
    const before = this.#kept;
    this.#kept = keptOf(this.#index, this.reader, this.#params, this.context);
    const { from, to, partial } = this.#kept;
    this.#decideAll(0, 1);
    this.#decideAll(Math.min(before.from, from), Math.max(before.from, from));
    this.#decideAll(Math.min(before.to, to, this.#length), Math.max(before.to, to));
    this.#decideAll(this.#length, this.#index.length);
    for (const one of [before.partial, partial]) if (one !== null) this.#decideAll(one.position, one.position + 1);
    this.#length = this.#index.length;
  }

  #decideAll(from: number, to: number): void {
    for (let position = from; position < Math.min(to, this.#index.length); position++) {
      const { partial } = this.#kept;
      if (isKept(position, this.#kept)) this.decide(position, null);
      else if (partial?.position === position) {
        const { item } = partial;
        const fate = () => partialFate(partial, this.#params, this.context);
        this.decide(position, { item, kind: 'rewritten', fate });
      } else {
        this.decide(position, { item: null, kind: 'dropped', fate: () => goneFate(this.#params, this.context) });
      }
    }
  }
}
