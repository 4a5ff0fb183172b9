// The trail of the selected message. It is asked for where a selection has rested, and answered in the background: neither
// a click nor scrolling waits for it.
import type { UseTrail } from '../../core/protocol/types.ts';
import { type Core, toast } from './core.ts';
import { toProtocolError } from './engine.ts';
import { NO_TRAIL } from './initial.ts';
import { specWithWindow } from './specWithWindow.ts';
import type { AppState, TrailState } from './types.ts';

export interface TrailActions {
  /** Goes to the next or the previous message on the trail of the selection, which stays the one whose trail it is. */
  stepTrail(direction: 1 | -1): Promise<void>;
  /** Goes to a message on the trail of the selection, which stays the one whose trail it is. */
  goToTrail(index: number, part: number): Promise<void>;
}

/** Whoever goes from row to row, or moves a slider, is not waiting. `KNOWN_MS` = where uses are known under this policy. */
const REST_MS = 400;
const KNOWN_MS = 80;
/** After work of another view ended this one. */
const AGAIN_MS = 2500;

interface Question {
  readonly params: { readonly id: string; readonly spec: unknown; readonly index: number };
  /** What uses are known by. */
  readonly under: string;
  readonly key: string;
}

export function trailActions(
  core: Core,
  goToMessage: (index: number, part?: number) => Promise<void>,
): TrailActions & { stop(): void } {
  const get = () => core.store.getState();
  const set = (change: Partial<TrailState>) => core.store.setState(({ trail }) => ({ trail: { ...trail, ...change } }));
  let asked: string | null = null;
  let known: string | null = null;
  let turn = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const ask = async ({ params, under }: Question) => {
    const mine = turn;
    try {
      const found = await core.engine.call('uses.trail', params);
      if (mine !== turn) return;
      known = under;
      set({ found, state: 'known', error: null });
    } catch (thrown) {
      if (mine !== turn) return;
      const { code, message } = toProtocolError(thrown);
      if (code === 'request.superseded') timer = setTimeout(() => mine === turn && follow(get(), true), AGAIN_MS);
      else if (code === 'page.not_here') set({ found: null, state: 'absent', error: null });
      else set({ found: null, state: 'failed', error: message });
    }
  };

  const follow = (now: AppState, isAgain = false) => {
    const { of } = now.trail;
    const question = of === null ? null : questionOf(now, of);
    if (!isAgain && (question?.key ?? null) === asked) return;
    asked = question?.key ?? null;
    turn++;
    clearTimeout(timer);
    if (now.trail.state !== 'pending') set({ state: 'pending', error: null });
    if (question !== null) timer = setTimeout(() => void ask(question), question.under === known ? KNOWN_MS : REST_MS);
  };

  const stop = core.store.subscribe((now, before) => {
    const isOther = now.session.id !== before.session.id;
    if (isOther || now.selection !== before.selection) {
      const next = trailAfter(now);
      const stays = !isOther && next.of === now.trail.of;
      if (!stays) core.store.setState({ trail: next });
      else if (next.step !== now.trail.step) set({ step: next.step });
    } else if (!isMoved(now, before)) return;
    follow(get());
  });

  const goToTrail = (index: number, part: number) => {
    set({ step: index });
    return goToMessage(index, part);
  };

  return {
    goToTrail,
    async stepTrail(direction) {
      const { of, step, found, state, error } = get().trail;
      if (of === null) return;
      const stops = found === null ? [] : stopsOf(found, of);
      const here = step ?? of;
      const next =
        direction === 1 ? stops.find(({ index }) => index > here) : stops.findLast(({ index }) => index < here);
      if (next !== undefined) return goToTrail(next.index, next.part);
      toast(core, {
        tone: state === 'failed' ? 'error' : 'info',
        text: whyNot({ of, stops, state, error, direction }),
      });
    },
    stop() {
      stop();
      turn++;
      clearTimeout(timer);
    },
  };
}

/** A step along the trail leaves it; whatever else is selected has its own. */
function trailAfter({ selection, trail }: AppState): TrailState {
  if (selection?.kind !== 'message') return NO_TRAIL;
  if (trail.of === selection.index) return { ...trail, step: trail.step === null ? null : selection.index };
  if (trail.of !== null && trail.step === selection.index) return trail;
  return { ...NO_TRAIL, of: selection.index };
}

function questionOf({ session, projection }: AppState, index: number): Question | null {
  if (session.id === null || projection.info === null) return null;
  const spec = specWithWindow(projection.info.spec, projection.window);
  const under = JSON.stringify([session.id, spec, session.info?.messages ?? 0]);
  return { params: { id: session.id, spec, index }, under, key: `${index} ${under}` };
}

function isMoved(now: AppState, before: AppState): boolean {
  if (now.projection.info !== before.projection.info || now.projection.window !== before.projection.window) return true;
  return now.session.info?.messages !== before.session.info?.messages;
}

/** The messages on a trail and the one whose it is, ascending. */
function stopsOf(
  { sources, users }: UseTrail,
  of: number,
): readonly { readonly index: number; readonly part: number }[] {
  return [...sources, ...(sources.length + users.length > 0 ? [{ index: of, part: 0 }] : []), ...users];
}

function whyNot({
  of,
  stops,
  state,
  error,
  direction,
}: Pick<TrailState, 'state' | 'error'> & {
  readonly of: number;
  readonly stops: readonly unknown[];
  readonly direction: 1 | -1;
}): string {
  if (state === 'failed') return `Uses of #${of} are not known: ${error}`;
  if (state === 'absent') return 'A page does not hold what later messages used.';
  if (stops.length > 0)
    return direction === 1 ? `No later use on the trail of #${of}.` : `Nothing earlier on the trail of #${of}.`;
  return state === 'pending' ? `Still looking for uses of #${of}.` : `No use of #${of} was found, nor by it.`;
}
