import type { OptionReader } from '../../view/optionReader.ts';
import { parseParams } from '../../view/parseParams.ts';
import type { ParamSchema } from '../../view/types.ts';

/** Messages that are named by what they are. */
export type PinnedKind = 'all_user_messages' | 'first_user_message' | 'instruction_files';

const KINDS: readonly PinnedKind[] = ['all_user_messages', 'first_user_message', 'instruction_files'];

const PARAMS = {
  messages: {
    name: 'messages',
    label: 'Messages',
    type: 'list',
    default: [],
    help: 'Numbers of messages that stay as they were said. A call stays with its results, a result with its call.',
  },
  texts: {
    name: 'texts',
    label: 'Texts',
    type: 'list',
    whole: true,
    default: [],
    help: 'Texts that stay: the part that first says one is put back. Runs of white space match each other, upper and lower case too.',
  },
  kinds: {
    name: 'kinds',
    label: 'Kinds',
    type: 'list',
    default: [],
    choices: [
      { value: 'all_user_messages', help: 'What people said: messages of the user that are more than tool results.' },
      { value: 'first_user_message', help: 'The task: the first of them.' },
      {
        value: 'instruction_files',
        help: 'Files of instructions that the client put in: AGENTS.md, CLAUDE.md and the like.',
      },
    ],
    help: 'Messages that stay because of what they are.',
  },
} satisfies Record<string, ParamSchema>;

/** Parameters of pin. */
export interface PinParams {
  /** Source indices. */
  readonly messages: ReadonlySet<number>;
  /** As written, without white space around them. */
  readonly texts: readonly string[];
  readonly kinds: ReadonlySet<PinnedKind>;
}

export const PIN_PARAMS: readonly ParamSchema[] = Object.values(PARAMS);

/** Parses the options of pin. */
export function parsePin(options: Readonly<Record<string, unknown>>) {
  return parseParams(PIN_PARAMS, options, (reader) => ({
    messages: new Set(reader.indices(PARAMS.messages)),
    texts: [...new Set(reader.list(PARAMS.texts).map((text) => text.trim()))],
    kinds: new Set(readKinds(reader)),
  }));
}

function readKinds(reader: OptionReader): readonly PinnedKind[] {
  return reader.list(PARAMS.kinds).flatMap((name) => {
    const kind = KINDS.find((each) => each === name);
    if (kind === undefined) reader.error('kinds', `Option kinds holds ${name}; accepted: ${KINDS.join(', ')}.`);
    return kind === undefined ? [] : [kind];
  });
}
