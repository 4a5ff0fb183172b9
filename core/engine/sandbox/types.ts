import type { Result } from '../../util/result.ts';

/** What a run may use. The verdicts on steps, memory and stack are the same every time, on every machine. */
export interface SandboxLimits {
  /**
   * Calls, backward and forward jumps of the bytecode, and backtracks of regular expressions. QuickJS counts them down
   * from 10,000 (JS_INTERRUPT_COUNTER_INIT) and then asks the host, so steps are known in ticks of 10,000, rounded up.
   */
  readonly steps: number;
  /** What the VM may allocate, its built-in objects included; for the copy of the messages there is room beside it. From MIN_MEMORY_BYTES to MAX_MEMORY_BYTES. */
  readonly memoryBytes: number;
  /** Depth of nested calls, in bytes of the VM's own stack. From MIN_STACK_BYTES to MAX_STACK_BYTES. */
  readonly stackBytes: number;
}

/** 50 million steps (about 0.3 s of an empty loop), 256 MiB, 256 KiB of stack (a few thousand nested calls). */
export const DEFAULT_LIMITS: SandboxLimits = {
  steps: 50_000_000,
  memoryBytes: 256 * 1024 * 1024,
  stackBytes: 256 * 1024,
};

/** The instance begins with 16 MiB; only beyond that does its growth show that a program has run out. */
export const MIN_MEMORY_BYTES = 24 * 2 ** 20;

/** WebAssembly memory ends at 2 GiB, and the messages pass through it outside of the VM's own count. */
export const MAX_MEMORY_BYTES = 2 ** 30;

/** The VM's own setup needs about half of this. */
export const MIN_STACK_BYTES = 2 ** 14;

/** Beyond this the host's stack might end before the VM's. */
export const MAX_STACK_BYTES = 2 ** 20;

/** The given limits, defaults for the rest. Throws RangeError for one that is not a whole number within its bounds. */
export function completeLimits(given: Partial<SandboxLimits> = {}): SandboxLimits {
  const limits = { ...DEFAULT_LIMITS, ...given };
  checkLimit('steps', limits.steps, 1, Number.MAX_SAFE_INTEGER);
  checkLimit('memoryBytes', limits.memoryBytes, MIN_MEMORY_BYTES, MAX_MEMORY_BYTES);
  checkLimit('stackBytes', limits.stackBytes, MIN_STACK_BYTES, MAX_STACK_BYTES);
  return limits;
}

function checkLimit(name: keyof SandboxLimits, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${name} is ${value}; accepted are whole numbers from ${min} to ${max}`);
}

/** The name the VM knows the user's text by. */
export const USER_FILE = 'policy.js';

/** The granularity of counted steps, see SandboxLimits.steps. */
export const STEPS_PER_TICK = 10_000;

/**
 * Why a run gave nothing: the source is not a function (syntax), it threw, it ran out of steps, memory or stack, or what it
 * returned is not JSON (result). Line and column are 1-based in the user's own text; null if the VM gives no place (a
 * thrown string). Out of steps within a loop without calls, the place is the beginning of the function around it.
 */
export interface SandboxError {
  readonly code: 'syntax' | 'threw' | 'steps' | 'memory' | 'stack' | 'result';
  readonly message: string;
  readonly line: number | null;
  readonly column: number | null;
  /** The frames within the user's text, innermost first, one a line. */
  readonly stack?: string;
  readonly logs: readonly string[];
}

/** The run was stopped by the clock of the host; unlike the other verdicts this one may differ from run to run. */
export interface WallError {
  readonly code: 'wall';
  readonly message: string;
}

/** A finished run. */
export interface SandboxValue {
  /** What the function returned, as JSON text made inside the VM. Its shape is for the caller to check. */
  readonly resultJson: string;
  /** Steps taken, rounded up to a tick. */
  readonly steps: number;
  /** What it wrote by console.log and its like: at most 100 lines, the last one saying how many more there were. */
  readonly logs: readonly string[];
}

/** The outcome of one run in the VM. */
export type SandboxResult = Result<SandboxValue, SandboxError>;
