import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Files handed to the program from outside, waiting for the page to take them. Each is given once. */
export interface FileQueue {
  add(paths: readonly string[]): void;
  take(): readonly string[];
}

/** A queue that calls `arrived` after each addition. */
export function createFileQueue(arrived: () => void): FileQueue {
  let waiting: readonly string[] = [];
  return {
    add(paths) {
      if (paths.length === 0) return;
      waiting = [...waiting, ...paths];
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
