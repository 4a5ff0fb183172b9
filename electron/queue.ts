import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Things handed to the program from outside, waiting for a page to take them. Each is given once. */
export interface Queue<T> {
  add(things: readonly T[]): void;
  take(): readonly T[];
}

/** A queue that calls `arrived` after each addition. */
export function createQueue<T>(arrived: () => void): Queue<T> {
  let waiting: readonly T[] = [];
  return {
    add(things) {
      if (things.length === 0) return;
      waiting = [...waiting, ...things];
      arrived();
    },
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}

/** The files among a launch's arguments, absolute. The program, the app's folder and Chromium's switches are none. */
export function filesAmong(args: readonly string[], cwd: string): readonly string[] {
  return args
    .slice(1)
    .filter((arg) => !arg.startsWith('-'))
    .map((arg) => resolve(cwd, arg))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}
