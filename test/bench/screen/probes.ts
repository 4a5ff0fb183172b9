// Functions that run in the page. Each is self-contained: the browser gets its source alone.

/** What to wait for after an input event. */
export interface PaintWait {
  /** The event that starts the clock, seen before the program sees it. */
  readonly event: string;
  /** Rows the list must have at least; all rows in sight must be there. */
  readonly rows?: number;
  /** The projection shown before, which must have been replaced. */
  readonly notProjection?: string | null;
}

/**
 * Leaves a promise in the page: the milliseconds from the event to the end of the first frame that shows what is waited
 * for. In two steps, because an input event takes another way into the page than the call that must be there first.
 */
export function armPaintClock(wait: PaintWait): void {
  const isShown = (): boolean => {
    const list = document.querySelector<HTMLElement>('[data-testid="timeline"]');
    if (!list || Number(list.getAttribute('aria-rowcount')) < (wait.rows ?? 1)) return false;
    if (wait.notProjection !== undefined && list.dataset.projection === (wait.notProjection ?? undefined)) return false;
    return list.querySelector('[data-testid="row"]') !== null && list.querySelector('.row-empty') === null;
  };
  const painted = new Promise<number>((resolve, reject) => {
    setTimeout(() => reject(new Error(`nothing was shown after ${wait.event}`)), 60_000);
    const begin = (event: Event): void => {
      const look = (): void => {
        if (!isShown()) {
          requestAnimationFrame(look);
          return;
        }
        // A message sent from within a frame arrives after that frame was painted.
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve(performance.now() - event.timeStamp);
        channel.port2.postMessage(null);
      };
      requestAnimationFrame(look);
    };
    window.addEventListener(wait.event, begin, { capture: true, once: true });
  });
  Reflect.set(window, 'benchPainted', painted);
}

/** What armPaintClock left. */
export async function paintClock(): Promise<number> {
  return Number(await Reflect.get(window, 'benchPainted'));
}

/** The frames of a while of scrolling. */
export interface Frames {
  /** Milliseconds between frames in which the page moved. */
  readonly intervals: readonly number[];
  /** Frames that showed a place of the list without its row. */
  readonly blank: number;
  /** Frames that showed an opened row without its text. */
  readonly unread: number;
  /** Pixels moved. */
  readonly distance: number;
}

/** Watches frames until the page has stood still for half a second. */
export function watchFrames(): Promise<Frames> {
  const list = document.querySelector<HTMLElement>('[data-testid="timeline"]');
  const place = () => list?.scrollTop ?? window.scrollY;
  const rowHeight = 24;
  const headHeight = 27;
  const isBlank = (): boolean => {
    if (!list) return false;
    const top = list.scrollTop;
    const bottom = top + list.clientHeight - headHeight;
    let first = Number.POSITIVE_INFINITY;
    let last = 0;
    for (const row of list.querySelectorAll<HTMLElement>('.timeline-rows > *')) {
      const at = Number(/translateY\(([\d.]+)px\)/.exec(row.style.transform)?.[1]);
      const height = row.classList.contains('row-open') ? row.offsetHeight : rowHeight;
      first = Math.min(first, at);
      last = Math.max(last, at + height);
      if (row.classList.contains('row-empty') && at < bottom && at + rowHeight > top) return true;
    }
    const end = Number.parseFloat(list.querySelector<HTMLElement>('.timeline-rows')?.style.height ?? '0');
    return first > top || last < Math.min(bottom, end);
  };
  const isUnread = (): boolean => {
    if (!list) return false;
    const { top, bottom } = list.getBoundingClientRect();
    return [...list.querySelectorAll('.row-detail')].some((detail) => {
      const box = detail.getBoundingClientRect();
      return box.bottom > top + headHeight && box.top < bottom && /^(Reading…)+$/.test(detail.textContent);
    });
  };
  return new Promise((resolve, reject) => {
    const intervals: number[] = [];
    const asked = performance.now();
    let blank = 0;
    let unread = 0;
    let before = 0;
    let still = 0;
    let from: number | null = null;
    let at = place();
    const painted = new MessageChannel();
    painted.port1.onmessage = () => {
      if (isBlank()) blank++;
      if (isUnread()) unread++;
    };
    const frame = (time: number): void => {
      const now = place();
      if (now !== at) {
        if (from !== null) intervals.push(time - before);
        from ??= at;
        still = 0;
        painted.port2.postMessage(null);
      } else if (from !== null) still += time - before;
      if (from === null && time - asked > 30_000) {
        reject(new Error(`nothing scrolled for 30 s; the list stands at ${now} px`));
        return;
      }
      if (from !== null && still > 500) {
        resolve({ intervals, blank, unread, distance: Math.abs(now - from) });
        return;
      }
      at = now;
      before = time;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}
