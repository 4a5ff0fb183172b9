// What keeps results alive beside the last messages: the caller's texts.
import type { OptionReader } from '../../view/optionReader.ts';
import type { ParamSchema } from '../../view/types.ts';

/** Texts a caller gave under one option; several options may share a label. */
export interface RootText {
  readonly label: string;
  readonly isBarrier: boolean;
  readonly texts: readonly string[];
}

const ROOT_LABEL: Readonly<Record<string, string>> = {
  roots: 'Other roots',
  active_plan: 'Active plan',
  scratchpad: 'Scratchpad',
  pending_tool_args: 'Arguments of pending calls',
  unresolved_findings: 'Unresolved findings',
  write_barrier: 'Write barrier',
};

const ROOT_HELP: Readonly<Record<string, string>> = {
  roots: 'Text, list or object whose tokens keep results alive.',
  active_plan: 'The active plan: what it names stays.',
  scratchpad: 'The scratchpad: what it names stays.',
  pending_tool_args: 'Arguments of calls about to be made: what they name stays.',
  unresolved_findings: 'Open findings: what they name stays.',
  write_barrier: 'Proof that working memory was written down; its tokens are roots too.',
};

function rootParam(name: string, aliases: readonly string[] = []): ParamSchema {
  return { name, label: ROOT_LABEL[name] ?? name, aliases, type: 'text', default: null, help: ROOT_HELP[name] ?? '' };
}

/** The options that bring root texts, in the order in which they are consulted. */
export const ROOT_PARAMS: readonly ParamSchema[] = [
  rootParam('roots'),
  rootParam('active_plan'),
  rootParam('scratchpad'),
  rootParam('pending_tool_args'),
  rootParam('unresolved_findings'),
  rootParam('write_barrier', ['write_barrier_refs', 'barrier_refs']),
];

/** Reads the root options; only those that brought text are listed. The three barrier spellings add up. */
export function readRootTexts(reader: OptionReader): readonly RootText[] {
  const found: RootText[] = [];
  for (const param of ROOT_PARAMS) {
    const spellings = [param.name, ...(param.aliases ?? [])];
    const texts = spellings.flatMap((name) => reader.texts({ ...param, name, aliases: [] }));
    if (texts.length > 0) found.push({ label: param.name, isBarrier: param.name === 'write_barrier', texts });
  }
  return found;
}

/** The labels of the roots as Harn records them. */
export function rootLabels(window: number, messages: number, texts: readonly RootText[], barrier: boolean): string[] {
  const labels: string[] = [];
  if (window > 0 && messages > 0) labels.push(`last_${Math.min(window, messages)}_messages`);
  for (const { label } of texts) labels.push(label);
  if (barrier) labels.push('write_barrier_required');
  return labels;
}
