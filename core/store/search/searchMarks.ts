// What search asks of messages beside their content, packed for a page: when, under which marks, by which model.

import { Buffer } from 'node:buffer';
import type { MessageMeta } from '../../model/message.ts';
import { millisecondsOf } from '../../util/instant.ts';

/** Of one message. `time` in epoch milliseconds; null where none was recorded. */
export interface SearchMark {
  readonly time: number | null;
  readonly model: string | null;
  readonly injected: boolean;
  readonly compaction: boolean;
  readonly sidechain: boolean;
  /** A person typed it while the agent worked. */
  readonly queued: boolean;
  /** A call answered here failed by a record beside it. */
  readonly failed: boolean;
}

const FLAG = { injected: 1, compaction: 2, sidechain: 4, queued: 8, failed: 16 };
/** Time (float64), model (uint16, 0 = none), flags (uint8). */
const BYTES = 11;
const MODELS_MAX = 0xffff;

/** One page's marks: the models as JSON, everything else as bytes. */
export interface PackedMarks {
  readonly models: string;
  readonly marks: Buffer;
}

export function packMarks(metas: readonly MessageMeta[]): PackedMarks {
  const models: string[] = [];
  const marks = Buffer.alloc(metas.length * BYTES);
  for (const [i, meta] of metas.entries()) {
    const at = i * BYTES;
    const time = millisecondsOf(meta.timestamp) ?? Number.NaN;
    marks.writeDoubleLE(time, at);
    marks.writeUInt16LE(modelNumber(models, meta.model), at + 8);
    const injected = meta.injected ? FLAG.injected : 0;
    const compaction = meta.compactSummary ? FLAG.compaction : 0;
    const queued = meta.provenance?.kind === 'queued_prompt' ? FLAG.queued : 0;
    const failed = (meta.failedCallIds?.length ?? 0) > 0 ? FLAG.failed : 0;
    marks.writeUInt8(injected | compaction | queued | failed | (meta.sidechain ? FLAG.sidechain : 0), at + 10);
  }
  return { models: JSON.stringify(models), marks };
}

export function unpackMark({ models, marks }: { models: readonly string[]; marks: Buffer }, i: number): SearchMark {
  const at = i * BYTES;
  const time = marks.readDoubleLE(at);
  const model = marks.readUInt16LE(at + 8);
  const flags = marks.readUInt8(at + 10);
  return {
    time: Number.isNaN(time) ? null : time,
    model: model === 0 ? null : (models[model - 1] ?? null),
    injected: (flags & FLAG.injected) !== 0,
    compaction: (flags & FLAG.compaction) !== 0,
    sidechain: (flags & FLAG.sidechain) !== 0,
    queued: (flags & FLAG.queued) !== 0,
    failed: (flags & FLAG.failed) !== 0,
  };
}

function modelNumber(models: string[], model: string | undefined): number {
  if (model === undefined) return 0;
  const known = models.indexOf(model);
  if (known >= 0) return known + 1;
  return models.length < MODELS_MAX ? models.push(model) : 0;
}
