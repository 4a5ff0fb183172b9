import './checks.css';
import { type DragEvent, type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLibraryList } from '../library/useLibraryList.ts';
import { useApp, useAppState, useHost } from '../state/context.tsx';
import type { RulesFile } from '../state/types.ts';
import { BaselineNote } from './BaselineNote.tsx';
import { ChecksBar } from './ChecksBar.tsx';
import { CommandBox } from './CommandBox.tsx';
import { FirstRules } from './FirstRules.tsx';
import { Faults, RunNotes } from './Notes.tsx';
import { OutcomePane } from './OutcomePane.tsx';
import { areRules, type OpenRules, openRulesFiles } from './openRules.ts';
import { RulesEditor } from './RulesEditor.tsx';
import { RuleTable } from './RuleTable.tsx';
import { type Rules, runRules, stopRun, useRules } from './useChecks.ts';
import { ruleRows } from './words.ts';

/** Which transcripts: the open one, those chosen in the library, or those that its filter lets through. */
export type Scope = 'session' | 'chosen' | 'list';

/** Rules held against the open transcript, or several: what failed and why. */
export function ChecksMode() {
  const id = useAppState((state) => state.session.id);
  const rules = useRules();
  if (id === null || rules === null) return null;
  return <Checks id={id} rules={rules} />;
}

function Checks({ id, rules }: { readonly id: string; readonly rules: Rules }) {
  const app = useApp();
  const host = useHost();
  const { file, read } = rules;
  const scopes = useScopes(id);
  const [scope, setScope] = useState<Scope>('session');
  const [chosen, choose] = useState<number | null>(null);
  const [isEditing, setEditing] = useState(false);
  const [reveal, setReveal] = useState<{ readonly line: number; readonly seq: number } | null>(null);
  const ids = scopes[scope];
  const last = useAppState((state) => state.checks.run);
  // What was found in another transcript is not shown here.
  const run = last !== null && (last.ids.length > 1 || last.ids[0] === id) ? last : null;
  const rows = useMemo(() => (run === null ? [] : ruleRows(run)), [run]);
  const shown = rows.find(({ at }) => at === chosen) ?? rows[0] ?? null;
  const isRunning = run?.state === 'running';
  const start = useCallback(
    async (given: RulesFile) => {
      if (given.text.trim() === '' || ids.length === 0) return;
      // Faults are corrected where they are written.
      if (!(await runRules(app, ids, given))) setEditing(true);
    },
    [app, ids],
  );
  const open: OpenRules = (opened, isReady) => {
    rules.setFile(opened);
    setEditing(!isReady);
    choose(null);
    if (isReady) void start(opened);
  };
  const nextFailure = useCallback(() => {
    const failed = rows.filter(({ verdict }) => verdict === 'failed');
    const now = failed.findIndex(({ at }) => at === shown?.at);
    const next = failed[(now + 1) % failed.length];
    if (next === undefined) return;
    choose(next.at);
    setEditing(false);
    document.querySelector<HTMLElement>(`tr[data-rule="${next.at}"]`)?.focus();
  }, [rows, shown]);
  useOrders({ again: () => void start(file), nextFailure });
  const goToLine = (line: number): void => {
    setEditing(true);
    setReveal((before) => ({ line, seq: (before?.seq ?? 0) + 1 }));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key !== 'Escape' || !isRunning || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    void stopRun(app);
  };
  const isFaulty = read !== null && read.faults.length > 0;
  const isEmpty = file.text.trim() === '' && !isEditing && run === null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc ends the run wherever in the mode the focus is; files are dropped anywhere
    <div
      className="checks"
      data-testid="checks"
      data-state={run?.state ?? 'none'}
      onKeyDown={onKeyDown}
      onDrop={(event) => takeDrop(event, { app, host }, open)}
    >
      <ChecksBar
        rules={rules}
        run={run}
        scope={{ value: scope, scopes, onChange: setScope }}
        isEditing={isEditing}
        onEdit={setEditing}
        onOpen={open}
        onRun={() => void start(file)}
      />
      {isEmpty ? (
        <FirstRules onOpen={open} onWrite={() => setEditing(true)} />
      ) : (
        <div className="checks-columns">
          <section className="checks-main" aria-label="Rules">
            {isFaulty && <Faults name={file.name} faults={read.faults} onGo={goToLine} />}
            {rules.error !== null && (
              <p className="checks-note drawer-error" role="alert">
                The rules could not be read: {rules.error}
              </p>
            )}
            {run !== null && read?.wantsBaseline === true && <BaselineNote run={run} file={file} onOpen={open} />}
            {run !== null && <RunNotes run={run} file={file} isFaulty={isFaulty} titleOf={scopes.titleOf} />}
            {run === null ? (
              !isFaulty && <NotRun count={read?.rules.length ?? null} onRun={() => void start(file)} />
            ) : (
              <RuleTable rows={rows} shown={shown} isRunning={isRunning} onChoose={(at) => choose(at)} />
            )}
            <CommandBox name={file.name} />
          </section>
          <section className="checks-side" aria-label={isEditing ? 'Rules as written' : 'The chosen rule'}>
            {isEditing ? (
              <RulesEditor rules={rules} reveal={reveal} onLeave={() => setEditing(false)} />
            ) : (
              run !== null &&
              shown !== null && (
                <OutcomePane
                  key={`${run.key} ${shown.at}`}
                  run={run}
                  row={shown}
                  id={id}
                  titleOf={scopes.titleOf}
                  onGoToRule={goToLine}
                  onNext={nextFailure}
                  hasFailures={rows.some(({ verdict }) => verdict === 'failed')}
                />
              )
            )}
          </section>
        </div>
      )}
    </div>
  );
}

function NotRun({ count, onRun }: { readonly count: number | null; readonly onRun: () => void }) {
  if (count === null) return <p className="checks-note faint">Reading the rules…</p>;
  if (count === 0) return <p className="checks-note mute">There are no rules yet: write them on the right.</p>;
  return (
    <div className="checks-ready">
      <p>
        {count === 1 ? '1 rule' : `${count} rules`} read. <span className="mute">Nothing was checked yet.</span>
      </p>
      <button type="button" className="button button-primary" onClick={onRun}>
        Run the rules
      </button>
    </div>
  );
}

function useScopes(id: string) {
  const selected = useAppState((state) => state.library.selected);
  const { shown, titleOf } = useLibraryList();
  return useMemo(
    () => ({ session: [id], chosen: [...selected], list: shown.map((one) => one.id), titleOf }),
    [id, selected, shown, titleOf],
  );
}

/** Does what commands and the key N ask for. What was asked before the screen was there waits for it no longer. */
function useOrders(doing: Readonly<Record<'again' | 'nextFailure', () => void>>): void {
  const order = useAppState((state) => state.checks.order);
  const done = useRef(order.seq);
  const latest = useRef(doing);
  latest.current = doing;
  useEffect(() => {
    if (order.seq === done.current) return;
    done.current = order.seq;
    latest.current[order.what]();
  }, [order]);
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== 'n' || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const { target } = event;
      if (target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], [role=dialog]'))
        return;
      if (target instanceof HTMLElement && target.closest('.monaco-editor')) return;
      event.preventDefault();
      latest.current.nextFailure();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Rules and a baseline that are dropped here are opened here; any other file is imported, as everywhere. */
function takeDrop(event: DragEvent<HTMLElement>, context: Parameters<typeof openRulesFiles>[0], open: OpenRules): void {
  const dropped = [...event.dataTransfer.files];
  if (!areRules(dropped.map(({ name }) => name))) return;
  event.preventDefault();
  event.stopPropagation();
  event.nativeEvent.stopImmediatePropagation();
  // The overlay goes when the drag is over, which it is not notified of here.
  window.dispatchEvent(new window.DragEvent('dragleave'));
  void openRulesFiles(context, dropped, open);
}
