import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { ReadRulesInfo } from '../../core/protocol/checkTypes.ts';
import { isRecord, stringAt } from '../../core/util/unknown.ts';
import type { App } from '../state/app.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import type { CheckRun, RulesFile } from '../state/types.ts';
import { useAnswer } from '../state/useAnswer.ts';

const FILE_KEY = 'workspace.checks';
const SAVE_MS = 400;
const READ_MS = 200;

/** The rules and what the engine makes of them. */
export interface Rules {
  readonly file: RulesFile;
  /** null = not read yet. */
  readonly read: ReadRulesInfo | null;
  readonly error: string | null;
  readonly setFile: (file: RulesFile) => void;
}

/** The rules, which are there again after a restart; null = they are being loaded. */
export function useRules(): Rules | null {
  const app = useApp();
  const file = useAppState((state) => state.checks.file);
  useEffect(() => {
    if (app.store.getState().checks.file === null) void load(app);
  }, [app]);
  const waiting = useRef<ReturnType<typeof setTimeout> | null>(null);
  const setFile = useCallback(
    (next: RulesFile) => {
      app.actions.setChecks({ file: next });
      if (waiting.current !== null) clearTimeout(waiting.current);
      waiting.current = setTimeout(() => void save(app), SAVE_MS);
    },
    [app],
  );
  // Who leaves the mode at once has typed it nevertheless.
  useEffect(
    () => () => {
      if (waiting.current === null) return;
      clearTimeout(waiting.current);
      void save(app);
    },
    [app],
  );
  const text = file?.text ?? '';
  const baseline = file?.baseline?.text ?? null;
  const { value, error } = useAnswer('check.read', text.trim() === '' ? null : { rules: text, baseline }, {
    wait: READ_MS,
    about: 'rules',
  });
  return useMemo(
    () => file && { file, read: text.trim() === '' ? NOTHING : value, error: error?.message ?? null, setFile },
    [file, text, value, error, setFile],
  );
}

const NOTHING: ReadRulesInfo = { rules: [], faults: [], wantsBaseline: false };
const NO_FILE: RulesFile = { name: null, text: '', baseline: null, path: null };

/** Rules that are not in a file: written here, or an example. */
export function typedRules(text: string): RulesFile {
  return { ...NO_FILE, text };
}

async function load({ engine, store, actions }: App): Promise<void> {
  let file = NO_FILE;
  try {
    const { values } = await engine.call('settings.get', {});
    const kept = values[FILE_KEY];
    if (isRecord(kept)) file = keptFile(kept);
  } catch (thrown) {
    const { message } = toProtocolError(thrown);
    actions.toast({ tone: 'error', text: 'The rules used last could not be read.', detail: message });
  }
  if (store.getState().checks.file === null) actions.setChecks({ file });
}

// Where it was is not kept: it may have been moved, and the host gives a page its files again.
function keptFile(kept: Readonly<Record<string, unknown>>): RulesFile {
  const { baseline } = kept;
  const [name, text] = isRecord(baseline) ? [stringAt(baseline, 'name'), stringAt(baseline, 'text')] : [];
  return {
    ...{ name: stringAt(kept, 'name') ?? null, text: stringAt(kept, 'text') ?? '', path: null },
    baseline: name === undefined || text === undefined ? null : { name, text },
  };
}

async function save({ engine, store, actions }: App): Promise<void> {
  const { unwritable, checks } = store.getState();
  // The status line says so all the time.
  if (unwritable !== null) return;
  try {
    const { name = null, text = '', baseline = null } = checks.file ?? {};
    await engine.call('settings.set', { key: FILE_KEY, value: { name, text, baseline } });
  } catch (thrown) {
    actions.toast({ tone: 'error', text: 'The rules are not being saved.', detail: toProtocolError(thrown).message });
  }
}

/**
 * Runs rules over transcripts; what is found is in the state, also when the mode is left meanwhile. Rules at fault are not run, and
 * what was found before stays: the screen lists the faults. Answers whether they were run.
 */
export async function runRules(
  { engine, store, actions }: App,
  ids: readonly string[],
  { text, baseline: recorded, path }: RulesFile,
): Promise<boolean> {
  const { checks, session } = store.getState();
  const key = `${(Number(checks.run?.key ?? 0) || 0) + 1}`;
  const baseline = recorded?.text ?? null;
  const first: CheckRun = {
    ...{
      key,
      ids,
      text,
      baseline,
      path,
      rules: [],
      state: 'running',
      checked: [],
      progress: null,
      error: null,
      ms: null,
    },
    messages: session.info?.messages ?? 0,
  };
  const change = (part: Partial<CheckRun>): void => {
    const { run } = store.getState().checks;
    if (run?.key === key) actions.setChecks({ run: { ...run, ...part } });
  };
  actions.setChecks({ run: first });
  const stop = engine.on('check', ({ run, checked, done, total }) => {
    const now = store.getState().checks.run;
    if (run !== key || now?.key !== key) return;
    change(checked === null ? { progress: { done, total } } : { checked: [...now.checked, checked] });
  });
  try {
    const { rules, faults } = await engine.call('check.read', { rules: text, baseline });
    if (faults.length > 0) {
      if (store.getState().checks.run?.key === key) actions.setChecks({ run: checks.run });
      return false;
    }
    change({ rules });
    const { checked, ms } = await engine.call('check.run', { ids, rules: text, baseline, path, run: key });
    change({ state: 'done', checked, ms });
  } catch (thrown) {
    const error = toProtocolError(thrown);
    if (error.code === 'request.superseded') change({ state: 'stopped' });
    else change({ state: 'failed', error: error.message });
  } finally {
    stop();
  }
  return true;
}

/** Ends what runs; what was found stays. */
export async function stopRun({ engine, actions }: App): Promise<void> {
  try {
    await engine.call('check.stop', {});
  } catch (thrown) {
    actions.toast({ tone: 'error', text: 'Not cancelled.', detail: toProtocolError(thrown).message });
  }
}
