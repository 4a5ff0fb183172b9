import { parentPort, workerData } from 'node:worker_threads';
import { damageableFiles, damageOf, readDamaged } from './damage.ts';

/** What a thread of the fuzzer tells: a reading begins (told before it, so that one which never ends has a name), or ended. */
export type FuzzMessage =
  | { readonly kind: 'start'; readonly seed: number; readonly replay: string }
  | {
      readonly kind: 'end';
      readonly seed: number;
      readonly replay: string;
      readonly ms: number;
      readonly broken: number;
      readonly faults: readonly string[];
    };

const { from, to }: { readonly from: number; readonly to: number } = workerData;
const files = damageableFiles();
const tell = (message: FuzzMessage): void => parentPort?.postMessage(message);

for (let seed = from; seed < to; seed++) {
  const damage = damageOf(files, seed);
  const { replay } = damage;
  tell({ kind: 'start', seed, replay });
  const startedAt = performance.now();
  const { faults, broken } = attempt(damage);
  tell({ kind: 'end', seed, replay, ms: performance.now() - startedAt, broken, faults });
}

function attempt(damage: Parameters<typeof readDamaged>[0]): ReturnType<typeof readDamaged> {
  try {
    return readDamaged(damage);
  } catch (error) {
    return { faults: [`crashed: ${error instanceof Error ? error.stack : String(error)}`], broken: 0 };
  }
}
