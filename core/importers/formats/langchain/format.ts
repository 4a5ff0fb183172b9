// Messages of LangChain and LangGraph: dumped one by one or in lists, serialised as constructors, in states and runs.

import { isRecord } from '../../../util/unknown.ts';
import { parsePrefix } from '../../sniff.ts';
import type { Detection, Format, Sniff } from '../../types.ts';
import { isOwnForm } from './message.ts';
import { answersIn, placesIn, updatesIn } from './places.ts';
import { LangchainReader } from './reader.ts';

const LOOKS_FOR =
  'messages of type human, ai, tool, with additional_kwargs or response_metadata, as {"type", "data"}, or {"lc": 1, …} constructors: bare, in lists, states, checkpoints and runs';

/** Every form gives the same messages, so that a history dumped again and again in other forms is read once. */
export const langchain: Format = {
  id: 'langchain',
  title: 'LangChain messages and states',
  looksFor: LOOKS_FOR,
  recovers: ['calls', 'results', 'errors', 'thinking', 'usage', 'models', 'compactions'],
  detect,
  elements: [['*'], ['messages', '*']],
  open: (sink) => new LangchainReader(sink),
};

function detect(sniff: Sniff): Detection {
  const isMine = candidates(sniff).some(holdsMessages);
  return isMine
    ? { score: 0.95, why: 'messages as LangChain writes them' }
    : { score: 0, why: `looked for ${LOOKS_FOR}` };
}

const MARKS = /"(additional_kwargs|response_metadata|lc|type)"\s*:/;

// States are long: the line that the head cuts off may be the first that has messages of this kind.
function candidates({ values, shape, whole, head }: Sniff): readonly unknown[] {
  if (shape !== 'jsonl' || whole) return values;
  const cut = head.slice(head.lastIndexOf('\n') + 1);
  return MARKS.test(cut) ? [...values, parsePrefix(cut)] : values;
}

function holdsMessages(value: unknown): boolean {
  if (isOwnForm(value)) return true;
  const list = Array.isArray(value) ? value.slice(0, 3) : [value];
  return (
    list.some((each) => {
      if ([...placesIn(each), ...updatesIn(each)].some(({ values }) => values.some(isOwnForm))) return true;
      return isRecord(each) && (answersIn(each)?.values.some(isOwnForm) ?? false);
    }) ||
    (Array.isArray(value) && value.some(isOwnForm))
  );
}
