// Pointers whose target is not in the request, from call point to call point. Reported when they begin to dangle.
import type { ReachedPoint } from '../../projection/allCallPoints.ts';
import type { RecordedFront } from '../text/places.ts';
import type { UseFinder } from './finder.ts';
import type { Pointer } from './pointers.ts';
import type { StandingEvidence } from './standing.ts';
import type { Use, UseLoss } from './types.ts';

/** Give it every call point of a walk, in order, behind the evidence. */
export class DanglingUses {
  readonly #standing: StandingEvidence;
  readonly #pointers: readonly Pointer[];
  readonly #undefined: readonly Pick<Pointer, 'text' | 'sources'>[];
  readonly #open = new Set<Pick<Pointer, 'text'>>();

  constructor({ pointers }: UseFinder, { toolsJson }: RecordedFront, standing: StandingEvidence) {
    this.#standing = standing;
    this.#pointers = pointers.all;
    this.#undefined = pointers.undefinedTools(toolsJson);
  }

  /** What dangles at this call point and did not at the one before. */
  take(point: ReachedPoint): readonly Use[] {
    const found = this.#pointers.flatMap((pointer) => {
      const { target, mention } = pointer;
      const isSaid = (pointer.sources[0]?.index ?? point.at) < point.at;
      const dangles = isSaid && target !== null && this.#standing.stands(mention) && !this.#standing.stands(target);
      const loss = target === null ? null : this.#standing.loss(target);
      return this.#begins(pointer, dangles) ? [danglingUse(point, pointer, loss)] : [];
    });
    const tools = this.#undefined.flatMap((pointer) => {
      const dangles = pointer.sources.some(({ index }) => this.#standing.holdsMessage(point, index));
      const use = { ...pointer, confidence: 'certain' as const };
      return this.#begins(pointer, dangles) ? [danglingUse(point, use, null)] : [];
    });
    return [...found, ...tools];
  }

  #begins(pointer: Pick<Pointer, 'text'>, dangles: boolean): boolean {
    const was = this.#open.has(pointer);
    if (dangles) this.#open.add(pointer);
    else this.#open.delete(pointer);
    return dangles && !was;
  }
}

function danglingUse(
  { at }: ReachedPoint,
  { text, sources, confidence }: Pick<Pointer, 'text' | 'sources' | 'confidence'>,
  loss: UseLoss | null,
): Use {
  return {
    kind: 'dangling',
    ...{ at, part: 0, from: 0, to: 0, evidence: text, sources, changed: false, again: null, confidence },
    ...{ outcome: 'gone', ignored: false, loss, tokens: 0, cost: null },
  };
}
