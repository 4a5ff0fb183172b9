// Runs in the VM before the user's source: takes away what is not deterministic, gives a console, and keeps the
// built-ins it needs, so that a source that overwrites JSON or Array changes nothing here.

/** The name under which the host's sink for log lines is a global while the prelude runs. */
export const EMIT_GLOBAL = '__emit';

/**
 * Evaluates to the function `(project, messagesJson) → text`, whose first letter says what follows: `j` the returned
 * value as JSON, `r` why what came back is not a result. What `project` throws passes through.
 */
export const PRELUDE = `(() => {
  'use strict';
  const emit = globalThis.${EMIT_GLOBAL};
  const gone = ['${EMIT_GLOBAL}', 'Date', 'performance', 'SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry',
    'setTimeout', 'setInterval', 'queueMicrotask', 'navigator', 'print', 'std', 'os', 'gc'];
  for (const name of gone) delete globalThis[name];
  delete Math.random;

  const { parse, stringify } = JSON;
  const text = String;
  const ThePromise = Promise;
  const TheTypeError = TypeError;

  const shown = (value) => {
    if (typeof value === 'string') return value;
    try {
      return stringify(value) ?? text(value);
    } catch {
      return typeof value === 'bigint' ? text(value) : '[cannot be shown]';
    }
  };
  const log = (...values) => {
    let line = '';
    for (let i = 0; i < values.length; i++) line += (i > 0 ? ' ' : '') + shown(values[i]);
    emit(line);
  };
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };

  const fault = (value) => {
    if (value instanceof ThePromise || (typeof value === 'object' && value !== null && typeof value.then === 'function'))
      return 'it returned a promise, and there is nothing here to wait for: make it a plain function, without async';
    if (typeof value === 'undefined') return 'it returned nothing';
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint')
      return 'it returned a ' + typeof value;
    return '';
  };
  return (project, messagesJson) => {
    const value = project(parse(messagesJson));
    const wrong = fault(value);
    if (wrong !== '') return 'r' + wrong;
    try {
      const json = stringify(value);
      return json === undefined ? 'rwhat it returned has no JSON form' : 'j' + json;
    } catch (error) {
      if (error instanceof TheTypeError) return 'rwhat it returned is not JSON (' + error.message + ')';
      throw error;
    }
  };
})()`;
