// @vitest-environment happy-dom
// The mode Checks: what it asks of the engine, what it says of outcomes, and what is never green.
import { fireEvent, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { AskedCheck, CheckedInfo, CheckedOutcome, ReadRule } from '../../core/protocol/checkTypes.ts';
import { EngineError } from '../../core/protocol/client.ts';
import type { ProvedChange } from '../../core/protocol/types.ts';
import { ChecksMode } from '../../renderer/checks/ChecksMode.tsx';
import { typedRules } from '../../renderer/checks/useChecks.ts';
import { commandLine, countRun, ruleLines, ruleRows, verdictText } from '../../renderer/checks/words.ts';
import type { CheckRun } from '../../renderer/state/types.ts';
import type { Answers } from '../support/spokenEngine.ts';
import { draw } from './support.tsx';

const rule = (name: string, line: number, more: Partial<ReadRule> = {}): ReadRule => ({
  ...{ name, text: `what ${name} says`, line, lastLine: line, wants: null },
  ...more,
});

const outcome = (at: number, verdict: CheckedOutcome['verdict'], found: string): CheckedOutcome => ({
  ...{ rule: at, verdict, found, at: null, index: null, line: null, policy: 0, evidence: null },
});

const RULES = [rule('first', 3), rule('second', 5), rule('third', 7)];
const OUTCOMES = [outcome(0, 'passed', '12'), outcome(1, 'failed', '31'), outcome(2, 'unchecked', 'nothing says it')];

function checked(id: string, outcomes: readonly CheckedOutcome[], error: string | null = null): CheckedInfo {
  const policy = { title: 'Raw', spec: { version: 1 as const, stages: [] } };
  return { id, error, outcomes, policies: [policy], calls: 9, baseline: null };
}

function run(all: readonly CheckedInfo[], more: Partial<CheckRun> = {}): CheckRun {
  return {
    ...{
      key: '1',
      ids: all.map(({ id }) => id),
      text: '',
      rules: RULES,
      state: 'done',
      checked: all,
      baseline: null,
      path: null,
    },
    ...{ progress: null, error: null, ms: 400, messages: 0 },
    ...more,
  };
}

async function drawn(found: CheckedInfo, more: Answers = {}) {
  const asked: AskedCheck[] = [];
  const all = draw(<ChecksMode />, {
    'check.read': ({ rules }) =>
      rules.includes('many')
        ? { rules: [], faults: [{ line: 4, text: 'tokens: a number' }], wantsBaseline: false }
        : { rules: RULES, faults: [], wantsBaseline: false },
    'check.run'(params) {
      asked.push(params);
      return { checked: [found], ms: 400 };
    },
    'check.stop': () => ({}),
    ...more,
  });
  await all.app.actions.open('t1');
  await waitFor(() => all.getByTestId('checks'));
  const choose = (name: string, text: string) =>
    fireEvent.change(all.getAllByTestId('checks-field')[0] as HTMLElement, {
      target: { files: [new File([text], name)] },
    });
  return { ...all, asked, choose };
}

describe('the mode Checks', () => {
  it('begins without rules, and runs nothing', async () => {
    const { getByTestId, queryByTestId, asked } = await drawn(checked('t1', OUTCOMES));
    expect(getByTestId('checks-first').textContent).toContain('No rules yet');
    expect(queryByTestId('checks-counts')).toBeNull();
    expect(asked).toEqual([]);
  });

  it('runs a file that is opened, and lists failures first', async () => {
    const { getAllByTestId, getByTestId, asked, choose } = await drawn(checked('t1', OUTCOMES));
    choose('a.rules.yaml', 'version: 1');
    await waitFor(() => expect(getAllByTestId('checks-row')).toHaveLength(3));
    await waitFor(() => expect(getByTestId('checks').dataset.state).toBe('done'));
    expect(asked).toMatchObject([{ ids: ['t1'], rules: 'version: 1' }]);
    expect(getAllByTestId('checks-row').map((row) => row.dataset.verdict)).toEqual(['failed', 'passed', 'unchecked']);
    expect(getByTestId('checks-counts').textContent).toBe(' 1 failed 1 passed 1 not checked9 requests, 0.4 s');
    expect(getByTestId('checks-outcome').dataset.rule).toBe('1');
    expect(getByTestId('checks-command').textContent).toBe('parallax check a.rules.yaml SESSION');
  });

  it('says faults with their lines, and runs nothing', async () => {
    const { getByTestId, asked, choose } = await drawn(checked('t1', OUTCOMES));
    choose('b.rules.yaml', 'tokens: many');
    await waitFor(() => getByTestId('checks-faults'));
    expect(getByTestId('checks-faults').textContent).toContain('1 fault in b.rules.yaml. No rule is run');
    expect(getByTestId('checks-fault').textContent).toBe('line 4: tokens: a number');
    expect((getByTestId('checks-run') as HTMLButtonElement).disabled).toBe(true);
    expect(asked).toEqual([]);
  });

  it('keeps what was found before where the rules are at fault by now', async () => {
    const { getByTestId, getAllByTestId, app, asked, choose } = await drawn(checked('t1', OUTCOMES));
    choose('a.rules.yaml', 'version: 1');
    await waitFor(() => expect(getByTestId('checks').dataset.state).toBe('done'));
    app.actions.setChecks({ file: { ...typedRules('tokens: many'), name: 'a.rules.yaml' } });
    await waitFor(() => getByTestId('checks-faults'));
    app.actions.orderChecks('again');
    await waitFor(() => expect(getByTestId('checks-stale').textContent).toContain('The rules were changed since'));
    expect(getAllByTestId('checks-row')).toHaveLength(3);
    expect(asked).toHaveLength(1);
  });

  it('goes to the next failure by N, and shows results of this transcript alone', async () => {
    const failed = [outcome(0, 'failed', '1'), outcome(1, 'passed', '2'), outcome(2, 'failed', '3')];
    const { getByTestId, queryByTestId, app, choose } = await drawn(checked('t1', failed));
    choose('a.rules.yaml', 'version: 1');
    await waitFor(() => expect(getByTestId('checks-outcome').dataset.rule).toBe('0'));
    fireEvent.keyDown(window, { key: 'n' });
    await waitFor(() => expect(getByTestId('checks-outcome').dataset.rule).toBe('2'));
    fireEvent.keyDown(window, { key: 'n' });
    await waitFor(() => expect(getByTestId('checks-outcome').dataset.rule).toBe('0'));
    const last = app.store.getState().checks.run;
    if (last !== null) app.actions.setChecks({ run: { ...last, ids: ['t2'] } });
    await waitFor(() => expect(queryByTestId('checks-outcome')).toBeNull());
  });

  it('says how far it is, and ends by Esc; what was not looked at is not checked', async () => {
    const waiting = Promise.withResolvers<{ readonly checked: readonly CheckedInfo[]; readonly ms: number }>();
    const { getByTestId, engine, app, choose } = await drawn(checked('t1', OUTCOMES), {
      'check.run': () => waiting.promise,
      'check.stop'() {
        waiting.reject({ code: 'request.superseded', message: 'ended', expected: true });
        return {};
      },
    });
    choose('a.rules.yaml', 'version: 1');
    await waitFor(() => expect(getByTestId('checks').dataset.state).toBe('running'));
    const run = app.store.getState().checks.run?.key ?? '';
    engine.emit('check', { run, checked: null, done: 5, total: 20 });
    await waitFor(() => expect(getByTestId('checks-counts').textContent).toBe('Running… 25%'));
    fireEvent.keyDown(getByTestId('checks-stop'), { key: 'Escape' });
    await waitFor(() => expect(getByTestId('checks').dataset.state).toBe('stopped'));
    expect(getByTestId('checks-counts').textContent).toContain('cancelled after 0 of 1 transcript');
    expect(getByTestId('checks-verdict').textContent).toBe('Nothing was checked: the run was cancelled.');
    expect(engine.calls.map(({ method }) => method)).toContain('check.stop');
  });

  it.each(['keep.find', 'check.under'] as const)(
    'says that what would make it pass is not known where %s fails',
    async (method) => {
      const wants = { text: 'port 8443', matchCase: false, wholeWord: false, inItsPlace: false };
      const spec = { version: 1 as const, stages: [] };
      const change: ProvedChange = {
        kind: 'pin',
        words: 'Pin it',
        patch: [],
        spec,
        proved: true,
        critical: [],
        less: [],
      };
      const fail = () => {
        throw new EngineError({ code: 'engine.fault', message: 'the disk is gone', expected: false });
      };
      const { container, choose } = await drawn(checked('t1', [{ ...outcome(0, 'failed', 'gone'), at: 4 }]), {
        'check.read': () => ({ rules: [rule('first', 3, { wants })], faults: [], wantsBaseline: false }),
        'keep.find': () => ({ state: 'found', changes: [change], takers: [], useless: [], tried: 1 }),
        'check.under': () => ({ tried: [{ verdict: 'passed', found: '' }] }),
        [method]: fail,
      });
      choose('a.rules.yaml', 'version: 1');
      await waitFor(() =>
        expect(container.textContent).toContain('What would make it pass is not known: the disk is gone'),
      );
      expect(container.querySelector('[data-testid="checks-passing"]')).toBeNull();
    },
  );

  it.each([
    ['the rule wants no text', false, 4, 'passed', 'Fewer turns+54 tok · session +648 tok, +$0.25'],
    ['it failed at no request', true, null, 'passed', 'Fewer turns+54 tok · session +648 tok, +$0.25'],
    ['nothing can be offered for it', false, 4, 'none', 'Secrets are counted in the transcript'],
    ['not all was tried', false, 4, 'part', '3 of 40 changes tried: none makes it pass. Try the others'],
    ['none passes', true, 4, 'failed', 'No change of the policy was found that makes this rule pass'],
    ['one passes', true, 4, 'passed', 'Pin it+54 tok · session +648 tok, +$0.25'],
  ] as const)('says what would make it pass where %s', async (_, isText, at, verdict, said) => {
    const wants = isText ? { text: 'port 8443', matchCase: false, wholeWord: false, inItsPlace: false } : null;
    const spec = { version: 1 as const, stages: [] };
    const change: ProvedChange = {
      ...{ kind: 'pin', words: 'Pin it', patch: [], spec, proved: true, critical: [], less: [] },
    };
    const asked: unknown[] = [];
    const { container, choose } = await drawn(checked('t1', [{ ...outcome(0, 'failed', 'gone'), at }]), {
      'check.read': () => ({ rules: [rule('first', 3, { wants })], faults: [], wantsBaseline: false }),
      'keep.find': () => ({ state: 'found', changes: [change], takers: [], useless: [], tried: 1 }),
      'check.under': () => ({ tried: [{ verdict: verdict === 'passed' ? 'passed' : 'failed', found: '' }] }),
      'check.passing': () => ({
        passing: verdict === 'passed' ? [{ words: 'Fewer turns', spec }] : [],
        ...{ tried: 3, of: verdict === 'part' ? 40 : 3 },
        none: verdict === 'none' ? 'Secrets are counted in the transcript' : null,
      }),
      'keep.price'(params) {
        asked.push(params.at);
        return {
          ...{ tokensHere: 54, tokensSession: 648, costSession: 0.25, unpriced: 0, usesSaved: 0, usesLost: 0 },
          ...{ fits: true, firstOver: null, providerTakesIt: true, refusedFor: null, refusedBefore: false },
        };
      },
    });
    choose('a.rules.yaml', 'version: 1');
    await waitFor(() => expect(container.textContent?.replaceAll('≈', '')).toContain(said));
    // Of the request that failed, wherever the timeline is.
    expect(new Set(asked)).toEqual(new Set(said.includes('tok ·') ? [at ?? null] : []));
  });

  it('says why a transcript could not be read, and counts its rules as not checked', async () => {
    const { getByTestId, choose } = await drawn(checked('t1', [], 'its file is gone'));
    choose('a.rules.yaml', 'version: 1');
    await waitFor(() => getByTestId('checks-unreadable'));
    expect(getByTestId('checks-unreadable').textContent).toContain('its file is gone');
    expect(within(getByTestId('checks-counts')).getByText(/not checked/).dataset.verdict).toBe('unchecked');
    expect(getByTestId('checks-counts').textContent).toContain('0 passed 3 not checked');
  });
});

describe('what is said of a run', () => {
  it.each([
    ['all passed', [checked('a', [outcome(0, 'passed', '')])], 'The check passed.'],
    [
      'some not checked',
      [
        checked(
          'a',
          OUTCOMES.filter((one) => one.verdict !== 'failed'),
        ),
      ],
      'No check failed; 1 could not be made.',
    ],
    ['none checked', [checked('a', [outcome(0, 'unchecked', '')])], 'Nothing was checked: there was nothing to check.'],
    ['one failed: the counts say it', [checked('a', OUTCOMES)], null],
  ] as const)('%s', (_, all, words) => {
    expect(verdictText(run(all))).toBe(words);
  });

  it('is never green where nothing was checked', () => {
    const rows = ruleRows(run([checked('a', OUTCOMES), checked('b', [], 'unreadable')]));
    expect(rows.map(({ at, verdict, found }) => [at, verdict, found])).toEqual([
      [1, 'failed', 'failed in 1 of 2, 1 not checked'],
      [0, 'unchecked', 'passed in 1 of 2, 1 not checked'],
      [2, 'unchecked', 'not checked in 2 of 2'],
    ]);
    expect(countRun(run([checked('b', [], 'unreadable')]))).toEqual({ failed: 0, passed: 0, unchecked: 3 });
  });

  it('is not green before all transcripts were looked at', () => {
    const ids = ['a', 'b', 'c'];
    const part = [checked('a', OUTCOMES)];
    const stopped = run(part, { ids, state: 'stopped' });
    expect(ruleRows(stopped).map(({ verdict, found }) => [verdict, found])).toEqual([
      ['failed', 'failed in 1 of 3, 2 not checked'],
      ['unchecked', 'passed in 1 of 3, 2 not checked'],
      ['unchecked', 'not checked in 3 of 3'],
    ]);
    expect(countRun(stopped)).toEqual({ failed: 1, passed: 1, unchecked: 7 });
    const running = ruleRows(run(part, { ids, state: 'running' }));
    expect(running.map(({ verdict, found }) => [verdict, found])).toEqual([
      ['failed', 'failed in 1 of 3'],
      ['unchecked', 'passed in 1 of 3'],
      ['unchecked', 'not checked in 1 of 3'],
    ]);
  });

  it('is cut out of the rules by lines, and quoted for the shell', () => {
    expect(ruleLines('a\nb\nc\n\n', rule('x', 2, { lastLine: 3 }))).toBe('b\nc');
    expect(commandLine("it's mine.yaml", 'junit')).toBe("parallax check 'it'\\''s mine.yaml' SESSION --format junit");
  });
});
