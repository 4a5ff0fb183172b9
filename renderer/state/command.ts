import type { HostBridge } from '../host/types.ts';
import type { App } from './app.ts';
import type { AppState } from './types.ts';

/** What a command works with. */
export interface CommandContext {
  readonly app: App;
  readonly host: HostBridge | null;
}

/** Something a person can do: in the palette, by key, from the menu. Stated once. */
export interface Command {
  /** Stable; menu commands of the host use the same ids where they have one. */
  readonly id: string;
  readonly title: string;
  readonly group: 'Go' | 'View' | 'Transcript' | 'Policy' | 'Library' | 'Help';
  /** Keys as written in keys.ts: `mod+k`, `shift+right`, `f`. The first is shown. */
  readonly keys?: readonly string[];
  /** Its keys work in a field too, unless they type something. Not for keys a field has a use for, such as `mod+z`. */
  readonly inFields?: true;
  /** Its keys come before those of the slider or the list that has the focus. */
  readonly isFirst?: true;
  /** Words it is also found by. */
  readonly also?: string;
  /** True when its keys are left to the browser. */
  readonly leaves?: () => boolean;
  readonly isEnabled?: (state: AppState) => boolean;
  run(context: CommandContext): void;
}
