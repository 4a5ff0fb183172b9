// Where a command's output goes and its input comes from, where that is not the process's: a task of `parallax worker` runs a
// command in the same thread as others before and after it.
import { AsyncLocalStorage } from 'node:async_hooks';

/** Of one command. */
export interface Channel {
  /** Text for stdout, whole lines or pieces of them. */
  out(text: string): void;
  /** A note for people, without its end. */
  note(text: string): void;
  /** What it reads as stdin; null = nothing. */
  readonly input: Uint8Array | null;
}

const channels = new AsyncLocalStorage<Channel>();

/** Runs a command with this channel. */
export function withChannel<T>(channel: Channel, run: () => Promise<T>): Promise<T> {
  return channels.run(channel, run);
}

/** That of the running command; undefined = the process's streams. */
export function currentChannel(): Channel | undefined {
  return channels.getStore();
}
