import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core';
import { grouped } from '../../util/counts.ts';
import { type SandboxError, type SandboxLimits, USER_FILE } from './types.ts';

/** A failure on its way out of a run. */
export type Failure = Omit<SandboxError, 'logs'>;

/** What the host knows about the run when the VM throws. */
export interface RunState {
  readonly limits: SandboxLimits;
  readonly outOfSteps: boolean;
  /** Whether the memory of the instance has grown as far as the limit. */
  readonly memoryFull: boolean;
  /** Characters put before the user's first line; columns there are shifted by as many. */
  readonly shift: number;
  /** The beginning of a string of the VM, cut inside it. */
  readonly clip: (string: QuickJSHandle, most: number) => string;
}

/** The longest part of a thrown value that is reported. Unit: UTF-16 units. */
const MESSAGE_CHARS = 2_000;
const STACK_CHARS = 20_000;

interface Thrown {
  readonly isNull: boolean;
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** A failure that has no place in the source. */
export function placeless(code: SandboxError['code'], message: string): Failure {
  return { code, message, line: null, column: null };
}

/** Turns what the VM threw into a verdict with its place in the user's text. Disposes the handle. */
export function failureOf(context: QuickJSContext, handle: QuickJSHandle, state: RunState): Failure {
  const thrown = readThrown(context, handle, state.clip);
  handle.dispose();
  const code = verdict(thrown, state);
  const frames = userFrames(thrown.stack, state.shift);
  const place = { line: frames[0]?.line ?? null, column: frames[0]?.column ?? null };
  const failure = { code, message: explain(code, thrown, state.limits), ...place };
  return frames.length === 0 ? failure : { ...failure, stack: frames.map((frame) => frame.text).join('\n') };
}

// Getters of the thrown value run, within the limits of the run: what they cannot give is empty.
function readThrown(context: QuickJSContext, handle: QuickJSHandle, clip: RunState['clip']): Thrown {
  const type = context.typeof(handle);
  if (type === 'string') return { isNull: false, name: '', message: clip(handle, MESSAGE_CHARS), stack: '' };
  if (context.eq(handle, context.null)) return { isNull: true, name: '', message: 'it threw null', stack: '' };
  if (type !== 'object') return { isNull: false, name: '', message: `it threw a value of type ${type}`, stack: '' };
  const text = (key: string, most = MESSAGE_CHARS): string => {
    const value = context.getProp(handle, key);
    const read = context.typeof(value) === 'string' ? clip(value, most) : '';
    value.dispose();
    return read;
  };
  return {
    isNull: false,
    name: text('name'),
    message: text('message') || 'an error without a message',
    stack: text('stack', STACK_CHARS),
  };
}

function verdict({ isNull, name, message, stack }: Thrown, state: RunState): SandboxError['code'] {
  if (state.outOfSteps) return 'steps';
  if (message === 'stack overflow') return 'stack';
  if (name === 'InternalError' && /^(?:out of memory|string too long)/.test(message)) return 'memory';
  if (isNull && state.memoryFull) return 'memory'; // with no room even for an error object the VM throws null
  // What the parser throws is in the source itself, in no function.
  return name === 'SyntaxError' && stack.trimStart().startsWith(`at ${USER_FILE}:`) ? 'syntax' : 'threw';
}

function explain(code: SandboxError['code'], thrown: Thrown, limits: SandboxLimits): string {
  switch (code) {
    case 'steps':
      return `it took more than ${grouped(limits.steps)} steps: an endless loop?`;
    case 'memory':
      return `it needed more than ${Math.floor(limits.memoryBytes / 2 ** 20)} MiB of memory`;
    case 'stack':
      return 'its calls nest too deep: an endless recursion?';
    default:
      return thrown.name === '' ? thrown.message : `${thrown.name}: ${thrown.message}`;
  }
}

interface Frame {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

const MAX_FRAMES = 20;

// Lines look like `    at name (policy.js:3:22)`, for the parser's errors `    at policy.js:3:22`.
function userFrames(stack: string, shift: number): Frame[] {
  const frames: Frame[] = [];
  for (const line of stack.split('\n')) {
    const match = /^\s*at (?:(.*) \()?policy\.js:(\d+):(\d+)\)?$/.exec(line);
    if (match === null || frames.length >= MAX_FRAMES) continue;
    const at = Number(match[2]);
    const column = Math.max(1, Number(match[3]) - (at === 1 ? shift : 0));
    frames.push({ text: `at ${match[1] ?? '<source>'} (${at}:${column})`, line: at, column });
  }
  return frames;
}
