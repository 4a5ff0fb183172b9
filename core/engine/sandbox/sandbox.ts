// A user's own policy runs in QuickJS compiled to WebAssembly: no I/O, clock or randomness to be had, and limits
// counted in steps and bytes instead of time, so that the verdict on a program is the same every time. Every run gets
// a separate runtime; nothing is left from one to the next.

import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  type Intrinsics,
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
  Scope,
} from 'quickjs-emscripten-core';
import { grouped } from '../../util/counts.ts';
import { err, ok, type Result } from '../../util/result.ts';
import { EMIT_GLOBAL, PRELUDE } from './prelude.ts';
import {
  completeLimits,
  DEFAULT_LIMITS,
  type SandboxLimits,
  type SandboxResult,
  STEPS_PER_TICK,
  USER_FILE,
} from './types.ts';
import { type Failure, failureOf, placeless } from './vmError.ts';

/** One WebAssembly instance. Runs one source at a time, synchronously, on the caller's thread. */
export interface Sandbox {
  /**
   * Runs `source`, an expression that gives a function (`(messages) => …`), or a script that declares
   * `project(messages)`, or a module with a default export, on a fresh copy of the messages (a JSON array as text).
   * Throws if the sandbox is spent, RangeError for impossible limits.
   */
  run(source: string, messagesJson: string, limits?: Partial<SandboxLimits>): SandboxResult;
  /** True after a run out of memory, or one that broke the instance: make a new sandbox. */
  readonly spent: boolean;
}

const PRELUDE_FILE = 'sandbox.js';
const MAX_LOG_LINES = 100;
const MAX_LOG_LENGTH = 2_000;
/** Room to read what was thrown, beyond the run's own memory. */
const ERROR_BYTES = 4 * 2 ** 20;
const SLICE = 'Function.prototype.call.bind(String.prototype.slice)';
const WHAT_TO_RETURN = 'Return the list of messages, or {messages, reason?, kept_indices?, dropped_indices?}.';

const INTRINSICS: Intrinsics = {
  BaseObjects: true,
  Date: false,
  Eval: true, // the host's own evalCode needs it
  StringNormalize: true,
  RegExp: true,
  RegExpCompiler: true,
  JSON: true,
  Proxy: true,
  MapSet: true,
  TypedArrays: true,
  Promise: true,
};

/** What an instance must have room for. Units: bytes; UTF-16 units. */
export interface SandboxRoom {
  readonly memoryBytes: number;
  readonly messageChars: number;
}

/** Of a run with the usual limits on a history of usual size. */
export const USUAL_ROOM: SandboxRoom = { memoryBytes: DEFAULT_LIMITS.memoryBytes, messageChars: 8 * 2 ** 20 };

/**
 * Loads a fresh WebAssembly instance (some milliseconds). QuickJS compiled to WebAssembly does not know the size of what it
 * allocates, so that its own limit holds for single allocations alone: what holds for all of them is the end of the
 * instance's memory.
 */
export async function createSandbox(room: SandboxRoom = USUAL_ROOM): Promise<Sandbox> {
  const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: mostPages(room) });
  const vm = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }));
  let spent = false;
  return {
    get spent() {
      return spent;
    },
    run(source, messagesJson, limits) {
      if (spent) throw new Error('this sandbox is spent: create a new one');
      const run = new Run(vm, completeLimits(limits));
      const result = run.execute(source, messagesJson);
      spent = run.broken || (!result.ok && result.error.code === 'memory');
      return result;
    },
  };
}

const PAGE_BYTES = 65_536;
/** As the variant is compiled: 16 MiB, which hold its code and stack. */
const FIRST_PAGES = 256;
const ALL_PAGES = 32_768;
/** Messages come in as UTF-8, become a text, and then what they say. */
const BYTES_PER_CHAR = 12;

function mostPages({ memoryBytes, messageChars }: SandboxRoom): number {
  const pages = FIRST_PAGES + Math.ceil((memoryBytes + messageChars * BYTES_PER_CHAR) / PAGE_BYTES);
  return Math.min(pages, ALL_PAGES);
}

class Run {
  broken = false;
  readonly #vm: QuickJSWASMModule;
  readonly #limits: SandboxLimits;
  readonly #scope = new Scope();
  readonly #logs: string[] = [];
  #lostLines = 0;
  #ticks = 0;
  #outOfSteps = false;
  /** The built-in, as it was before the user's source. */
  #slice: QuickJSHandle | null = null;
  /** Characters put before the user's first line; columns there are shifted by as many. */
  #shift = 0;

  constructor(vm: QuickJSWASMModule, limits: SandboxLimits) {
    this.#vm = vm;
    this.#limits = limits;
  }

  execute(source: string, messagesJson: string): SandboxResult {
    const outcome = this.#guarded(source, messagesJson);
    const lost = this.#lostLines === 0 ? [] : [`… ${grouped(this.#lostLines + 1)} more lines`];
    const logs = lost.length === 0 ? this.#logs : [...this.#logs.slice(0, MAX_LOG_LINES - 1), ...lost];
    if (!outcome.ok) return err({ ...outcome.error, logs });
    return ok({ resultJson: outcome.value, steps: this.#ticks * STEPS_PER_TICK, logs });
  }

  // Deep recursion inside the VM can exhaust the host's stack before the VM's own, and a wild program may trap: both
  // surface here as exceptions of the host, after which the instance must not be touched again, not even to free it.
  #guarded(source: string, messagesJson: string): Result<string, Failure> {
    try {
      const runtime = this.#vm.newRuntime();
      const context = this.#newContext(runtime);
      const outcome = this.#load(context, source, messagesJson);
      this.#scope.dispose();
      context.dispose();
      runtime.dispose();
      return outcome;
    } catch (error) {
      this.broken = true;
      if (error instanceof RangeError) return err(placeless('stack', 'the calls nest too deep'));
      if (error instanceof WebAssembly.RuntimeError)
        return err(placeless('memory', `the VM gave up: ${error.message}`));
      throw error;
    }
  }

  #newContext(runtime: QuickJSRuntime): QuickJSContext {
    runtime.setMemoryLimit(this.#limits.memoryBytes);
    runtime.setMaxStackSize(this.#limits.stackBytes);
    runtime.setInterruptHandler(() => {
      this.#ticks++;
      this.#outOfSteps = this.#ticks * STEPS_PER_TICK > this.#limits.steps;
      return this.#outOfSteps;
    });
    return runtime.newContext({ intrinsics: INTRINSICS });
  }

  #load(context: QuickJSContext, source: string, messagesJson: string): Result<string, Failure> {
    const emit = this.#scope.manage(context.newFunction('emit', (line) => this.#log(context.getString(line))));
    context.setProp(context.global, EMIT_GLOBAL, emit);
    this.#slice = this.#scope.manage(context.unwrapResult(context.evalCode(SLICE, PRELUDE_FILE)));
    const runner = this.#eval(context, PRELUDE, 'global', PRELUDE_FILE);
    if (!runner.ok) return runner;
    const project = this.#userFunction(context, source);
    if (!project.ok) return project;
    return this.#call(context, runner.value, project.value, messagesJson);
  }

  #log(line: string): void {
    if (this.#logs.length >= MAX_LOG_LINES) this.#lostLines++;
    else this.#logs.push(line.length > MAX_LOG_LENGTH ? `${line.slice(0, MAX_LOG_LENGTH)}…` : line);
  }

  #call(context: QuickJSContext, runner: QuickJSHandle, project: QuickJSHandle, json: string): Result<string, Failure> {
    const input = this.#scope.manage(context.newString(json));
    const returned = context.callFunction(runner, context.undefined, project, input);
    if (returned.error) return err(this.#failureOf(context, returned.error));
    const text = context.getString(this.#scope.manage(returned.value));
    if (text.startsWith('j')) return ok(text.slice(1));
    return err(placeless('result', `${text.slice(1)}. ${WHAT_TO_RETURN}`));
  }

  /** Tries the source as an expression, as a script and as a module; only what compiles is run, and only once. */
  #userFunction(context: QuickJSContext, source: string): Result<QuickJSHandle, Failure> {
    const expression = `(${source}\n)`;
    if (this.#compile(context, expression) === null) {
      this.#shift = 1;
      const value = this.#eval(context, expression, 'global');
      return value.ok ? this.#asFunction(context, value.value) : value;
    }
    const syntaxError = this.#compile(context, source);
    if (syntaxError === null) {
      const completion = this.#eval(context, source, 'global');
      if (!completion.ok) return completion;
      const declared = this.#eval(
        context,
        `typeof project === 'function' ? project : undefined`,
        'global',
        PRELUDE_FILE,
      );
      if (!declared.ok) return declared;
      const found = context.typeof(declared.value) === 'function' ? declared.value : completion.value;
      return this.#asFunction(context, found);
    }
    if (!/\bexport\b/.test(source)) return err(syntaxError);
    const module = this.#eval(context, source, 'module');
    if (!module.ok) return module;
    const main = this.#scope.manage(context.getProp(module.value, 'default'));
    if (context.typeof(main) === 'function') return ok(main);
    return this.#asFunction(context, this.#scope.manage(context.getProp(module.value, 'project')));
  }

  #asFunction(context: QuickJSContext, handle: QuickJSHandle): Result<QuickJSHandle, Failure> {
    const type = context.typeof(handle);
    if (type === 'function') return ok(handle);
    const given = type === 'undefined' ? 'no function' : `a value of type ${type}, not a function`;
    const wanted = 'write (messages) => …, or declare function project(messages) {…}, or export default a function';
    return err(placeless('syntax', `the source gives ${given}: ${wanted}`));
  }

  #compile(context: QuickJSContext, code: string): Failure | null {
    const compiled = context.evalCode(code, USER_FILE, { type: 'global', compileOnly: true });
    if (compiled.error) return this.#failureOf(context, compiled.error);
    compiled.value.dispose();
    return null;
  }

  #eval(
    context: QuickJSContext,
    code: string,
    type: 'global' | 'module',
    file: string = USER_FILE,
  ): Result<QuickJSHandle, Failure> {
    const result = context.evalCode(code, file, { type });
    if (result.error) return err(this.#failureOf(context, result.error));
    return ok(this.#scope.manage(result.value));
  }

  #clip(context: QuickJSContext, string: QuickJSHandle, most: number): string {
    using length = context.getProp(string, 'length');
    if (context.getNumber(length) <= most) return context.getString(string);
    if (this.#slice === null) return '';
    const [from, to] = [context.newNumber(0), context.newNumber(most)];
    const cut = context.callFunction(this.#slice, context.undefined, string, from, to);
    from.dispose();
    to.dispose();
    if (cut.error) {
      cut.error.dispose();
      return '';
    }
    const text = context.getString(cut.value);
    cut.value.dispose();
    return `${text}…`;
  }

  #failureOf(context: QuickJSContext, thrown: QuickJSHandle): Failure {
    const state = {
      limits: this.#limits,
      outOfSteps: this.#outOfSteps,
      memoryFull: this.#vm.getWasmMemory().buffer.byteLength >= this.#limits.memoryBytes * 0.9,
      shift: this.#shift,
      clip: (string: QuickJSHandle, most: number) => this.#clip(context, string, most),
    };
    // Reading the error must not fail for want of memory, nor be a way to have as much as one likes.
    context.runtime.setMemoryLimit(this.#limits.memoryBytes + ERROR_BYTES);
    const failure = failureOf(context, thrown, state);
    context.runtime.setMemoryLimit(this.#limits.memoryBytes);
    return failure;
  }
}
