// The options for thinking that a request sends back: how it asks the provider to treat blocks of other conversations.
import type { Command } from 'commander';
import { PRESERVED_THINKING, readPreservedThinking } from '../../core/projection/binding/setting.ts';
import { keptWord, type ThinkingCounts } from '../../core/projection/binding/types.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { usageFailure } from './failure.ts';
import { grouped } from './output.ts';

/** What was said on the command line; it stands above the spec's `preserved_thinking`. */
export interface ThinkingOptions {
  readonly preservedThinking?: string;
  readonly readBy?: string;
  readonly accountCreated?: string;
}

const MODES = PRESERVED_THINKING.map(({ value }) => value).join('|');

/** Adds the options to a command. */
export function withThinkingOptions(command: Command): Command {
  return command
    .option(`--preserved-thinking <${MODES}>`, 'what becomes of thinking blocks that are bound to another conversation')
    .option('--read-by <model>', 'the model that the requests go to, where that is not the recorded one')
    .option(
      '--account-created <day>',
      'the day the provider’s account was made: from 2026-08-31 on it is held to the check',
    )
    .hook('preAction', (called) => void withThinking({ version: 1, stages: [] }, called.opts()));
}

/** The spec with what the command line says of thinking. */
export function withThinking(spec: ProjectionSpec, options: ThinkingOptions): ProjectionSpec {
  const { preservedThinking, readBy, accountCreated } = options;
  if (preservedThinking === undefined && readBy === undefined && accountCreated === undefined) return spec;
  const given = {
    ...spec.preserved_thinking,
    ...(preservedThinking !== undefined && { mode: preservedThinking }),
    ...(readBy !== undefined && { model: readBy }),
    ...(accountCreated !== undefined && { account_created: accountCreated }),
  };
  const faults: string[] = [];
  const setting = readPreservedThinking(
    given,
    (_, text) => faults.push(text),
    () => undefined,
  );
  if (faults.length > 0 || setting === null) throw usageFailure(faults.join(' '), 'spec.invalid');
  return { ...spec, preserved_thinking: setting };
}

/** `yes`, `drops 3 of 12`, `refused: 3 of 12`; `–` = nothing is checked. */
export function keptCell(counts: ThinkingCounts | null): string {
  if (counts === null) return '–';
  const { failing, dropped, sent, foreign } = counts;
  switch (keptWord(counts)) {
    case 'kept':
      return failing > 0 ? `let through: ${grouped(failing)}` : 'yes';
    case 'drops':
      return `drops ${grouped(dropped)} of ${grouped(sent + foreign)}`;
    case 'refused':
      return `400: ${grouped(failing)} of ${grouped(sent)}`;
  }
}
