import { useMemo } from 'react';
import type { FilterValueInfo } from '../../core/protocol/types.ts';
import { useAnswer } from '../state/useAnswer.ts';
import { plural } from '../ui/format.ts';
import { type Completion, filterSuggestions, type Suggestion, writtenValue } from './suggest.ts';

const SHOWN = 12;
const NONE: readonly Suggestion[] = [];

/** What can be written at the caret: names of filters at once, values as soon as the engine has sent them. */
export function useSuggestions(completion: Completion | null): readonly Suggestion[] {
  const filter = completion?.filter ?? null;
  const typed = completion?.typed ?? '';
  // Without suggestions the field is as good as before.
  const { value } = useAnswer('search.values', filter === null ? null : { filter, text: typed }, { about: filter });
  const found = useMemo(() => value?.values.slice(0, SHOWN).map(suggestionOf) ?? NONE, [value]);
  if (completion === null) return NONE;
  if (filter === null) return filterSuggestions(typed);
  const isTaken = found.some((one) => one.text.toLowerCase() === typed.toLowerCase());
  return isTaken ? NONE : found;
}

function suggestionOf({ value, label, count }: FilterValueInfo): Suggestion {
  const help = [label, count === null ? null : plural(count, 'transcript')].filter((part) => part !== null).join(', ');
  // Ids say nothing to people: their transcripts' titles do.
  const isId = label !== null && /^[0-9a-f]{12}$/.test(value);
  return { text: writtenValue(value), label: isId ? label : value, help: help === '' ? value : help };
}
