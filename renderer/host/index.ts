import { electronHost } from './electronHost.ts';
import type { HostBridge } from './types.ts';
import { webHost } from './webHost.ts';

export type { HostBridge, MakeExport, MenuCommand } from './types.ts';

/** The host this page runs in: the desktop window if its preload has left a bridge, else the loopback web page. */
export function detectHost(): HostBridge {
  return window.parallax === undefined ? webHost() : electronHost(window.parallax);
}
