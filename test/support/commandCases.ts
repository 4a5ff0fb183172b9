// Every command of the program with everything it takes, each place filled with what it cannot be.
import type { Argument, Command, Option } from 'commander';
import { createProgram } from '../../cli/program.ts';

/** What a place of a command line takes. */
export type Takes =
  | 'file'
  | 'fileOrId'
  | 'number'
  | 'spec'
  | 'policy'
  | 'choice'
  | 'text'
  | 'place'
  | 'folder'
  | 'output';

/** A place of a command line: an argument, or an option with a value. */
export interface Place {
  /** As its help has it: `FILE`, `--at`. */
  readonly name: string;
  readonly takes: Takes;
  readonly isOption: boolean;
}

/** A command with its places, by the words that call it. */
export interface CommandCase {
  readonly words: readonly string[];
  readonly places: readonly Place[];
}

/** What options take, by what their help calls the value. */
const BY_WORD: Readonly<Record<string, Takes>> = {
  n: 'number',
  tokens: 'number',
  'key-or-n': 'place',
  'file-or-json': 'spec',
  spec: 'spec',
  'spec...': 'spec',
  dir: 'folder',
  key: 'file',
};

/** Options whose value is called as those of others, and is something else. */
const BY_NAME: Readonly<Record<string, Takes>> = {
  '--policy': 'policy',
  '--mapping': 'file',
  '--key': 'file',
  '--show': 'file',
  '--output': 'output',
  '--out': 'output',
  '--html': 'output',
  '--markdown': 'output',
  '--bundle': 'output',
  '--parquet': 'output',
  '--append': 'file',
  '--aim': 'choice',
  '--wire': 'choice',
  '--thread': 'choice',
  '--as': 'choice',
  '--provider': 'choice',
  '--api': 'choice',
  '--preserved-thinking': 'choice',
  '--account-created': 'choice',
  '--zone': 'choice',
  '--request': 'text',
};

const ARGUMENTS: Readonly<Record<string, Takes>> = {
  FILE: 'file',
  PATH: 'file',
  RULES: 'file',
  MAPPING: 'file',
  'FILE-or-ID': 'fileOrId',
};

function optionPlace({ long, flags, argChoices }: Option): Place {
  const name = long ?? flags;
  const word = /[<[](.*)[>\]]/.exec(flags)?.[1] ?? '';
  const takes = BY_NAME[name] ?? (argChoices === undefined ? (BY_WORD[word] ?? 'text') : 'choice');
  return { name, takes, isOption: true };
}

function argumentPlace(argument: Argument): Place {
  return { name: argument.name(), takes: ARGUMENTS[argument.name()] ?? 'text', isOption: false };
}

function casesOf(command: Command, before: readonly string[]): readonly CommandCase[] {
  const words = [...before, command.name()];
  if (command.commands.length > 0) return command.commands.flatMap((each) => casesOf(each, words));
  const valued = command.options.filter(({ required, optional }) => required || optional);
  return [{ words, places: [...command.registeredArguments.map(argumentPlace), ...valued.map(optionPlace)] }];
}

/** Every command, as the program itself says. */
export function commandCases(): readonly CommandCase[] {
  return createProgram().commands.flatMap((command) => casesOf(command, []));
}
