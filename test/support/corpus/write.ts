import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { seededRng } from '../../../core/util/rng.ts';
import { SessionModel, type SessionOptions, type SessionTally } from './sessionModel.ts';

const FLUSH_CHARS = 4_000_000;

/** A session written to disk. */
export interface WrittenSession {
  readonly path: string;
  readonly bytes: number;
  readonly tally: SessionTally;
}

/** Writes one session to `path` (a file descriptor for a stream). `bytes`: goes on until so many are written. */
export function writeSession(
  target: string | number,
  options: SessionOptions & { readonly bytes?: number },
): WrittenSession {
  const { bytes: least = 0 } = options;
  const model = new SessionModel(least > 0 ? { ...options, messages: Number.MAX_SAFE_INTEGER } : options);
  const file = typeof target === 'number' ? target : openSync(target, 'w');
  let held: string[] = [];
  let chars = 0;
  let bytes = 0;
  const flush = (): void => {
    if (held.length > 0) bytes += writeAll(file, Buffer.from(`${held.join('\n')}\n`));
    held = [];
    chars = 0;
  };
  while (least > 0 ? bytes + chars < least : !model.done) {
    for (const line of model.next()) {
      held.push(line);
      chars += line.length + 1;
    }
    if (chars > FLUSH_CHARS) flush();
  }
  flush();
  if (typeof target !== 'number') closeSync(file);
  return { path: typeof target === 'number' ? '-' : target, bytes, tally: model.tally };
}

/** The text of one session. */
export function sessionText(options: SessionOptions): string {
  const model = new SessionModel(options);
  const lines: string[] = [];
  while (!model.done) lines.push(...model.next());
  return `${lines.join('\n')}\n`;
}

/**
 * A folder as the tool keeps it: projects with sessions of very different lengths, begun over some months.
 * `messages` is the sum over all, about.
 */
export function* writeProjects(
  folder: string,
  { sessions, messages, seed }: { readonly sessions: number; readonly messages: number; readonly seed: number },
): Generator<WrittenSession> {
  const rng = seededRng(seed);
  const projects = Array.from({ length: Math.max(1, Math.round(sessions / 25)) }, (_, i) => `project-${i + 1}`);
  const shares = Array.from({ length: sessions }, () => (1 - rng.next()) ** -0.7);
  const sum = shares.reduce((total, share) => total + share, 0);
  for (const [place, share] of shares.entries()) {
    const project = rng.pick(projects);
    const options = { messages: Math.max(2, Math.round((messages * share) / sum)), seed: seed * 1_000_003 + place };
    const inside = join(folder, `-home-dev-${project}`);
    mkdirSync(inside, { recursive: true });
    const { sessionId } = new SessionModel({ ...options, project });
    yield writeSession(join(inside, `${sessionId}.jsonl`), {
      ...options,
      project,
      day: Math.floor((place * 150) / sessions),
    });
  }
}

function writeAll(file: number, data: Buffer): number {
  for (let at = 0; at < data.length; ) at += writeSync(file, data, at);
  return data.length;
}
