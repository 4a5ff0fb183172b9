// The narrow bridge between the window's page and the main process: one map of channels. Everything about transcripts
// goes over the engine's message port instead.

import type { GivenFile } from './files.ts';
import type { Link } from './link.ts';

/** What a menu entry or its shortcut asks of the page. */
export type MenuCommand =
  | 'open'
  | 'export'
  | 'palette'
  | 'find'
  | 'search.open'
  | 'go.back'
  | 'go.forward'
  | 'window.new'
  | 'view.raw'
  | 'view.sideBySide'
  | 'view.model'
  | 'view.drawer'
  | 'view.library'
  | 'view.policy'
  | 'help.shortcuts';

/** What the window's frame, menu and dialogs look like. */
export type HostTheme = 'system' | 'light' | 'dark';

/** Calls from the page to the main process: channel → params and result. */
export interface HostCalls {
  'host:connect': { readonly params: { readonly id: string }; readonly result: undefined };
  'host:pickFiles': { readonly params: Record<string, never>; readonly result: readonly GivenFile[] };
  'host:pickFolder': { readonly params: Record<string, never>; readonly result: GivenFile | null };
  /** A file that was dropped on the page, or chosen by its own dialog; the preload alone knows its path. */
  'host:dropped': { readonly params: { readonly path: string }; readonly result: GivenFile };
  /** Gives the handle of the file to write, good once. */
  'host:saveFile': { readonly params: { readonly name: string }; readonly result: string | null };
  'host:theme': { readonly params: { readonly theme: HostTheme }; readonly result: undefined };
  /** Another window at an address of the page; what is not one opens where the last session was. */
  'host:openWindow': { readonly params: { readonly address: string }; readonly result: undefined };
  /** Links that the system handed over, each given once; null = one that could not be read. */
  'host:takeLinks': { readonly params: Record<string, never>; readonly result: readonly (Link | null)[] };
  'host:initialFiles': { readonly params: Record<string, never>; readonly result: readonly GivenFile[] };
}

/** What the main process sends the page without being asked. `host:port` carries a MessagePort. */
export interface HostEvents {
  'host:port': { readonly id: string };
  'host:menu': { readonly command: MenuCommand };
  'host:files': Record<string, never>;
  'host:links': Record<string, never>;
}

/** What the preload leaves in the page as `window.parallax`. Only functions over plain data; no Electron object crosses. */
export interface PreloadApi {
  readonly platform: string;
  /** Asks for a port to the engine; it arrives as a window message `{parallax: 'port', id}` with the port. */
  connect(id: string): Promise<void>;
  pickFiles(): Promise<readonly GivenFile[]>;
  pickFolder(): Promise<GivenFile | null>;
  saveFile(name: string): Promise<string | null>;
  setTheme(theme: HostTheme): Promise<void>;
  initialFiles(): Promise<readonly GivenFile[]>;
  openWindow(address: string): Promise<void>;
  takeLinks(): Promise<readonly (Link | null)[]>;
  /** A dropped or chosen file; null if it was made by a script and is nowhere. */
  dropped(file: File): Promise<GivenFile | null>;
  onMenu(callback: (command: MenuCommand) => void): () => void;
  onFiles(callback: () => void): () => void;
  onLinks(callback: () => void): () => void;
}

/** The scheme and origin of the page in the desktop window. */
export const APP_SCHEME = 'parallax';
export const APP_ORIGIN = `${APP_SCHEME}://app`;
