import { useCallback, useEffect, useState } from 'react';

/** How long the pointer rests on a button before its name is shown; right after another one it is shown at once. */
const DELAY_MS = 350;
const SKIP_MS = 200;

/** The name of an icon button, and where the button is: px in the window. */
export interface IconTip {
  readonly label: string;
  readonly keys: string;
  readonly place: { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

/** The tip of the icon button under the pointer, or of the one with the focus ring; null = none is. */
export function useIconTip(): { readonly tip: IconTip | null; readonly hide: () => void } {
  const [tip, setTip] = useState<IconTip | null>(null);
  const hide = useCallback(() => setTip(null), []);
  useEffect(() => watchIconButtons(setTip), []);
  return { tip, hide };
}

/** Follows pointer and focus over all icon buttons of the window, until what it returns is called. */
function watchIconButtons(show: (tip: IconTip | null) => void): () => void {
  let over: HTMLElement | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isShown = false;
  let hiddenAt = Number.NEGATIVE_INFINITY;
  const stop = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const reveal = (button: HTMLElement) => {
    stop();
    isShown = true;
    show(tipOf(button));
  };
  const leave = () => {
    stop();
    if (isShown) hiddenAt = performance.now();
    isShown = false;
    show(null);
  };
  const onOver = ({ target, pointerType }: PointerEvent) => {
    const button = iconButtonAt(target);
    if (button === over || pointerType === 'touch') return;
    if (over !== null) leave();
    over = button;
    if (button === null) return;
    if (performance.now() - hiddenAt < SKIP_MS) reveal(button);
    else timer = setTimeout(() => button.isConnected && reveal(button), DELAY_MS);
  };
  const onFocus = ({ target }: FocusEvent) => {
    const button = iconButtonAt(target);
    if (button?.matches(':focus-visible') === true) reveal(button);
    else if (isShown) leave();
  };
  const pointer = { capture: true, passive: true } as const;
  const listened = new AbortController();
  const listen = { signal: listened.signal };
  document.addEventListener('pointerover', onOver, { ...pointer, ...listen });
  document.addEventListener('pointerdown', leave, { ...pointer, ...listen });
  document.addEventListener('focusin', onFocus, listen);
  for (const event of ['focusout', 'click']) document.addEventListener(event, leave, listen);
  // What lies under the tip moves away from it.
  document.addEventListener('scroll', () => isShown && leave(), { ...pointer, ...listen });
  document.documentElement.addEventListener('pointerleave', leave, listen);
  return () => {
    stop();
    listened.abort();
  };
}

function iconButtonAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-icon-tip]') : null;
}

function tipOf(button: HTMLElement): IconTip {
  const { left, top, width, height } = button.getBoundingClientRect();
  return {
    label: button.getAttribute('aria-label') ?? '',
    keys: button.dataset.iconTip ?? '',
    place: { left, top, width, height },
  };
}
