// V8 lets garbage stand until it needs the room: after a while of moving sliders the engine holds 200 MB of which 50 are
// alive, for as long as the window is open. So when nobody has asked for anything in a while, what is dead is freed and
// given back to the system. It takes 0.1 s, 0.5 s with 100,000 messages open; that is why it waits for a pause.
import { performance } from 'node:perf_hooks';
import v8 from 'node:v8';
import { runInNewContext } from 'node:vm';

const CHECK_MS = 2_000;
/** Checks without work before memory is freed. */
const QUIET_CHECKS = 3;
/** Share of the time at work that still counts as none. */
const QUIET_LOAD = 0.02;
/** Growth since the last time that makes it worth while, in bytes. */
const WORTH = 24 * 1024 * 1024;

type Collect = (options: {
  readonly type: 'major';
  readonly execution: 'sync';
  readonly flavor: 'last-resort';
}) => void;

/**
 * Watches this thread, and frees memory in its pauses; the timer keeps nothing alive. `trim` drops what can be read or
 * made again, once in each pause.
 */
export function collectWhenIdle(trim: () => void): void {
  v8.setFlagsFromString('--expose-gc');
  const collect: Collect = runInNewContext('gc');
  let before = performance.eventLoopUtilization();
  let quiet = 0;
  let held = heldBytes();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    quiet = utilization < QUIET_LOAD ? quiet + 1 : 0;
    if (quiet !== QUIET_CHECKS) return;
    trim();
    if (heldBytes() - held < WORTH) return;
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    held = heldBytes();
  }, CHECK_MS).unref();
}

function heldBytes(): number {
  const { heapTotal, external } = process.memoryUsage();
  return heapTotal + external;
}
