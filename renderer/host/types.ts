// What the renderer may ask of the program around it. Two implementations: the desktop window (electronHost.ts) and
// the loopback web page (webHost.ts). Everything about transcripts goes through the transport, never through here.
import type { Transport } from '../../core/protocol/channel.ts';
import type { HostTheme, MenuCommand } from '../../core/protocol/host.ts';

export type { MenuCommand };

/** A file to import, by its path on the engine's machine (an upload of the web host has one there too). */
export interface ImportInput {
  readonly path: string;
  /** The name to show: the file's own name, also where `path` is an upload's temporary place. */
  readonly name: string;
}

/** Writes an export to `path`; null = the engine chooses a place in its export folder. Answers where it went. */
export type MakeExport = (path: string | null) => Promise<{ readonly path: string; readonly bytes: number }>;

export interface HostBridge {
  readonly kind: 'electron' | 'web';
  readonly platform: 'darwin' | 'win32' | 'linux';
  /** A fresh line to the engine. Call again after the transport has closed: the host starts a new engine if it died. */
  connect(): Promise<Transport>;
  /** Lets the person choose files; empty if they cancelled. Rejects with an Error to show if an upload fails. */
  pickFiles(): Promise<readonly ImportInput[]>;
  /** Lets the person choose a folder; null if they cancelled. Absent where the host cannot know its path. */
  readonly pickFolder?: () => Promise<string | null>;
  /** The files of a drop. Must be called synchronously in the event's handler: the browser empties it afterwards. */
  fromDrop(data: DataTransfer): Promise<readonly ImportInput[]>;
  /**
   * Asks for a place, suggesting a name, and makes the export there: gives the place, or the name it is downloaded under;
   * null if cancelled.
   */
  saveExport(make: MakeExport, suggestedName: string): Promise<string | null>;
  /** What the window is framed in looks as the page does. Absent where the frame is not the program's. */
  readonly setTheme?: (theme: HostTheme) => void;
  /** Paths given on the command line or handed over by the system; each is given once. */
  initialFiles(): Promise<readonly string[]>;
  /** Menu commands, and files the system opens while the program runs. Returns the way to stop listening. */
  onMenu(callback: (command: MenuCommand) => void): () => void;
  /** Called when files arrive after start (second launch, dock drop): ask initialFiles() again. */
  onFiles(callback: () => void): () => void;
}
