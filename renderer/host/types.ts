// What the renderer may ask of the program around it. Two implementations: the desktop window (electronHost.ts) and
// the loopback web page (webHost.ts). Everything about transcripts goes through the transport, never through here.

import type { GivenFile } from '../../core/protocol/files.ts';
import type { HostTheme, MenuCommand } from '../../core/protocol/host.ts';
import type { Link } from '../../core/protocol/link.ts';
import type { Transport } from '../../core/protocol/transports.ts';

export type { MenuCommand };

/** Writes an export to the file of a handle; null = the engine chooses a place in its export folder. Answers where it went. */
export type MakeExport = (handle: string | null) => Promise<{ readonly path: string; readonly bytes: number }>;

/** Files and folders named on the command line or handed over by the system; `name` = the path. */
export interface InitialFiles {
  /** Those that no page has received yet: each is imported once. */
  readonly arrived: readonly GivenFile[];
  /** All that this page may use, also after a reload. */
  readonly given: readonly GivenFile[];
}

export interface HostBridge {
  readonly kind: 'electron' | 'web';
  readonly platform: 'darwin' | 'win32' | 'linux';
  /** A fresh line to the engine. Call again after the transport has closed: the host starts a new engine if it died. */
  connect(): Promise<Transport>;
  /** Lets the person choose files; empty if they cancelled. Rejects with an Error to show if an upload fails. */
  pickFiles(): Promise<readonly GivenFile[]>;
  /** Lets the person choose a folder; null if they cancelled. Absent where the host cannot know its path. */
  readonly pickFolder?: () => Promise<GivenFile | null>;
  /** The files of a drop. Must be called synchronously in the event's handler: the browser empties it afterwards. */
  fromDrop(data: DataTransfer): Promise<readonly GivenFile[]>;
  /** What the engine may read of a file that a field of the page took, and beside it. Absent where a browser hides its path. */
  readonly fileOf?: (file: File) => Promise<GivenFile | null>;
  /**
   * Asks for a place, suggesting a name, and makes the export there: gives the place, or the name it is downloaded under;
   * null if cancelled.
   */
  saveExport(make: MakeExport, suggestedName: string): Promise<string | null>;
  /** What the window is framed in looks as the page does. Absent where the frame is not the program's. */
  readonly setTheme?: (theme: HostTheme) => void;
  /** Another window, or tab, at an address of the page (`#/open/…`, or none). */
  openWindow(address: string): void;
  initialFiles(): Promise<InitialFiles>;
  /** Links that another program handed over and no page has taken; null = one that could not be read. */
  takeLinks(): Promise<readonly (Link | null)[]>;
  /** Called when a link arrives after start: take it. Returns the way to stop listening. */
  onLinks(callback: () => void): () => void;
  /** Menu commands, and files the system opens while the program runs. Returns the way to stop listening. */
  onMenu(callback: (command: MenuCommand) => void): () => void;
  /** Called when files arrive after start (second launch, dock drop): ask initialFiles() again. */
  onFiles(callback: () => void): () => void;
}
