import { baselineName } from '../../core/check/baselineName.ts';
import type { App } from '../state/app.ts';
import { toProtocolError } from '../state/engine.ts';
import type { CheckRun, RulesFile } from '../state/types.ts';
import { plural } from '../ui/format.ts';
import { saveText } from '../ui/saveText.ts';
import type { OpenRules } from './openRules.ts';
import { EXAMPLE_NAME } from './words.ts';

/**
 * Records what a run found as the baseline of its rules, saves that as a file, and runs the rules against it. Transcripts that were not
 * looked at stay as they were recorded.
 */
export async function recordBaseline(
  { engine, actions }: App,
  run: CheckRun,
  file: RulesFile,
  onOpen: OpenRules,
): Promise<void> {
  const all = run.checked.flatMap(({ baseline }) => baseline ?? []);
  const found = all.flatMap(({ key, records }) => {
    return key === null || Object.keys(records).length === 0 ? [] : [{ key, records }];
  });
  const nameless = all.filter(({ key }) => key === null).length;
  const detail =
    nameless === 0 ? {} : { detail: `${plural(nameless, 'transcript')} left out: a baseline has no name for each.` };
  if (found.length === 0) {
    actions.toast({ tone: 'error', text: 'Nothing was recorded.', ...detail });
    return;
  }
  try {
    const { text } = await engine.call('check.record', { baseline: run.baseline, found });
    const name = file.baseline?.name ?? baselineName(file.name ?? EXAMPLE_NAME);
    saveText(name, text, 'application/json');
    actions.toast({ tone: 'ok', text: `${plural(found.length, 'transcript')} recorded in ${name}.`, ...detail });
    onOpen({ ...file, baseline: { name, text } }, true);
  } catch (thrown) {
    actions.toast({ tone: 'error', text: 'Nothing was recorded.', detail: toProtocolError(thrown).message });
  }
}
