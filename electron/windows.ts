import type { BrowserWindow, WebContents } from 'electron';
import type { HostEvents } from '../core/protocol/host.ts';
import { openWindow } from './window.ts';

/** The app's windows: all show one library, and none knows of the others. */
export interface Windows {
  /** Opens one more at an address of the page (`#/open/…`, or none). */
  open(address?: string): void;
  /** The one that was last in use; null = none is open. */
  current(): BrowserWindow | null;
  /** The window whose page that is; null if it is not one of the app's. */
  of(contents: WebContents): BrowserWindow | null;
  /** Sends to the window that was last in use. */
  send<C extends keyof HostEvents>(channel: C, payload: HostEvents[C]): void;
  /** Shows and focuses the one last in use. */
  raise(): void;
}

/** No windows yet; `loaded` is called when the page of one has loaded. */
export function createWindows(loaded: () => void): Windows {
  /** The one last in use at the end. */
  let open: readonly BrowserWindow[] = [];
  const current = () => open.at(-1) ?? null;
  return {
    open(address = '') {
      const window = openWindow(address, current());
      open = [...open, window];
      window.on('focus', () => {
        open = [...open.filter((one) => one !== window), window];
      });
      window.on('closed', () => {
        open = open.filter((one) => one !== window);
      });
      window.webContents.once('did-finish-load', loaded);
    },
    current,
    of: (contents) => open.find((one) => one.webContents === contents) ?? null,
    send: (channel, payload) => current()?.webContents.send(channel, payload),
    raise() {
      const window = current();
      if (window?.isMinimized()) window.restore();
      window?.focus();
    },
  };
}
