// Files of rules and of baselines that a person chose or dropped.
import { baselineName, isBaselineName } from '../../core/check/baselineName.ts';
import type { HostBridge } from '../host/types.ts';
import type { App } from '../state/app.ts';
import { toProtocolError } from '../state/engine.ts';
import type { RulesFile } from '../state/types.ts';

interface Context {
  readonly app: App;
  readonly host: HostBridge | null;
}

/** Takes a file of rules; `isReady` = it is run at once. */
export type OpenRules = (file: RulesFile, isReady: boolean) => void;

const RULES_NAME = /\.(?:ya?ml|rules\.json)$/i;

/** Whether files that are dropped are rules, or a baseline, or both: not transcripts to import. */
export function areRules(names: readonly string[]): boolean {
  const rules = names.filter((name) => RULES_NAME.test(name));
  const baselines = names.filter(isBaselineName);
  const isAll = rules.length + baselines.length === names.length;
  return isAll && names.length > 0 && rules.length <= 1 && baselines.length <= 1;
}

/**
 * Reads the files that were chosen or dropped, and runs the rules. A baseline by itself is that of the rules that are open; rules by
 * themselves have the one beside them, where the host knows where that is, else the one that is open and has their name.
 */
export async function openRulesFiles({ app, host }: Context, files: readonly File[], onOpen: OpenRules): Promise<void> {
  const rules = files.find(({ name }) => !isBaselineName(name));
  const recorded = files.find(({ name }) => isBaselineName(name));
  const now = app.store.getState().checks.file;
  // At once: what a field gave may be read no more once the field was emptied.
  const [rulesText, baselineText] = await Promise.all([textOf(app, rules), textOf(app, recorded)]);
  if (rulesText === null || baselineText === null) return;
  const given = recorded && baselineText !== undefined ? { name: recorded.name, text: baselineText } : null;
  if (rules === undefined || rulesText === undefined) {
    if (given !== null && now !== null) onOpen({ ...now, baseline: given }, now.text.trim() !== '');
    return;
  }
  const path = (await host?.fileOf?.(rules))?.handle ?? null;
  const name = baselineName(rules.name);
  const open = now?.baseline?.name === name ? now.baseline : null;
  const beside = given === null && path !== null ? await besideOf(app, path) : null;
  onOpen({ name: rules.name, text: rulesText, path, baseline: given ?? (path === null ? open : beside) }, true);
}

// undefined = there is none; null = it could not be read, which was said.
async function textOf({ actions }: App, file: File | undefined): Promise<string | null | undefined> {
  try {
    return await file?.text();
  } catch (thrown) {
    const { message } = toProtocolError(thrown);
    actions.toast({ tone: 'error', text: `${file?.name ?? 'The file'} could not be read.`, detail: message });
    return null;
  }
}

async function besideOf({ engine, actions }: App, path: string): Promise<RulesFile['baseline']> {
  try {
    const { name, text } = await engine.call('check.baseline', { path });
    return text === null ? null : { name, text };
  } catch (thrown) {
    const { message } = toProtocolError(thrown);
    actions.toast({ tone: 'error', text: 'The baseline beside the rules could not be read.', detail: message });
    return null;
  }
}
