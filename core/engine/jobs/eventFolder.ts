// OpenHands keeps a conversation as a folder of events, one a file. Such a folder, or several of its files chosen
// together, is imported as one file: the events as lines in the order of the number in their names, then the
// base_state.json of the conversation. The joined file exists only while it is read.

import type { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { openRegular, readRegular } from '../files/regularFile.ts';

/** What is imported as one: a file, or under the path of a folder the files it is joined of, in order. */
export interface ImportSource {
  readonly path: string;
  readonly files: readonly string[] | null;
}

const STATE = 'base_state.json';
/** The SDK's names: `event-00012-<uuid>.json`. */
const EVENT = /^event-(\d+)-[\w-]+\.json$/;
/** Those before the SDK, in a folder `events`: `12.json`. */
const NUMBERED = /^(\d+)\.json$/;

/** What the paths given for an import are: folders of events and events of one folder are joined, all else is as given. */
export async function sourcesOf(paths: readonly string[]): Promise<readonly ImportSource[]> {
  const groups = groupsOf(paths);
  const sources: ImportSource[] = [];
  for (const path of paths) {
    const group = groups.get(path);
    if (group === undefined) sources.push({ path, files: await eventsBelow(path) });
    else if (group.files[0] === path) sources.push({ path: group.path, files: (await wholeOf(group)) ?? group.files });
  }
  return sources;
}

/** Of one event, and of all events of a conversation together. Unit: bytes. */
const MOST_EVENT_BYTES = 256 * 1024 * 1024;
const MOST_JOINED_BYTES = 1024 ** 3;

/** Opens a source to be read; regular files only. What was joined has no name: it is gone when the handle is closed. */
export async function openSource({ path, files }: ImportSource): Promise<FileHandle> {
  if (files === null) return openRegular(path);
  const name = join(tmpdir(), `parallax-events-${randomUUID()}`);
  const joined = await open(name, 'wx+', 0o600);
  try {
    // At once: whatever ends the program while it is filled, nothing is left behind.
    await rm(name, { force: true });
    let newest = 0;
    let room = MOST_JOINED_BYTES;
    for (const file of files) {
      const bytes = await readRegular(file, Math.min(room, MOST_EVENT_BYTES));
      newest = Math.max(newest, (await stat(file)).mtimeMs);
      room -= bytes.length;
      await joined.appendFile(lineOf(bytes));
    }
    await joined.utimes(newest / 1000, newest / 1000);
    return joined;
  } catch (error) {
    await joined.close();
    throw error;
  }
}

// Between the tokens of a JSON value a space says what a line end does; within strings neither stands.
function lineOf(bytes: Buffer): Uint8Array {
  const line = new Uint8Array(bytes.length + 1);
  for (const [at, byte] of bytes.entries()) line[at] = byte === 0x0a || byte === 0x0d ? 0x20 : byte;
  line[bytes.length] = 0x0a;
  return line;
}

/** The events of a conversation's folder (or of its folder `events`) with its state; null for anything else. */
async function eventsBelow(path: string): Promise<readonly string[] | null> {
  const own = await namesIn(path);
  if (own === null) return null;
  const isEvents = basename(path) === 'events';
  const here = inOrder(own, isEvents ? [EVENT, NUMBERED] : [EVENT]);
  const folder = here.length > 0 ? path : join(path, 'events');
  const names = here.length > 0 ? here : inOrder((await namesIn(folder)) ?? [], [EVENT, NUMBERED]);
  if (names.length === 0) return null;
  const conversation = basename(folder) === 'events' ? dirname(folder) : folder;
  const state = (await namesIn(conversation))?.includes(STATE) ? [join(conversation, STATE)] : [];
  return [...names.map((name) => join(folder, name)), ...state];
}

/** The names in a folder; null if it is not one. Why a path cannot be read is reported when it is opened. */
async function namesIn(path: string): Promise<readonly string[] | null> {
  return readdir(path).catch(() => null);
}

function inOrder(names: readonly string[], patterns: readonly RegExp[]): readonly string[] {
  const pattern = patterns.find((one) => names.some((name) => one.test(name)));
  if (pattern === undefined) return [];
  return names.filter((name) => pattern.test(name)).sort((a, b) => numberOf(a, pattern) - numberOf(b, pattern));
}

function numberOf(name: string, pattern: RegExp): number {
  return Number(pattern.exec(name)?.[1] ?? 0);
}

/** Who chose all events of a folder means the conversation, state and all. */
async function wholeOf({ path, files }: Group): Promise<readonly string[] | null> {
  const all = (await eventsBelow(path)) ?? [];
  const chosen = new Set(files);
  return all.length > 0 && all.every((file) => chosen.has(file) || basename(file) === STATE) ? all : null;
}

interface Group {
  readonly path: string;
  readonly files: readonly string[];
}

/** Event files that were chosen together, by each of their paths. */
function groupsOf(paths: readonly string[]): ReadonlyMap<string, Group> {
  const byFolder = Map.groupBy(new Set(paths.filter((path) => EVENT.test(basename(path)))), (path) =>
    conversationOf(path),
  );
  const groups = new Map<string, Group>();
  for (const [conversation, events] of byFolder) {
    const numbers = new Set(events.map((path) => numberOf(basename(path), EVENT)));
    const states = paths.filter((path) => basename(path) === STATE && stateOf(path) === conversation).slice(0, 1);
    if (events.length + states.length < 2 || numbers.size < events.length) continue;
    const ordered = events.sort((a, b) => numberOf(basename(a), EVENT) - numberOf(basename(b), EVENT));
    const files = [...ordered, ...states];
    const first = ordered[0] ?? '';
    const group = { path: isUpload(first) ? first : dirname(first), files };
    for (const path of files) groups.set(path, group);
  }
  return groups;
}

// A browser's uploads are in separate folders, side by side in that of their host: there the files of one choice belong together.
function isUpload(path: string): boolean {
  return basename(dirname(dirname(dirname(path)))) === 'uploads';
}

function conversationOf(path: string): string {
  const folder = dirname(path);
  return isUpload(path) || basename(folder) === 'events' ? dirname(folder) : folder;
}

function stateOf(path: string): string {
  return isUpload(path) ? dirname(dirname(path)) : dirname(path);
}
