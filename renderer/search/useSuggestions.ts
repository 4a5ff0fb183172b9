import { useEffect, useState } from 'react';
import type { FilterValueInfo } from '../../core/protocol/types.ts';
import { useApp } from '../state/context.tsx';
import { type Completion, filterSuggestions, type Suggestion, writtenValue } from './suggest.ts';

const SHOWN = 12;
const NONE: readonly Suggestion[] = [];

/** What can be written at the caret: names of filters at once, values as soon as the engine has told them. */
export function useSuggestions(completion: Completion | null): readonly Suggestion[] {
  const { engine } = useApp();
  const [values, setValues] = useState<{ readonly of: string; readonly found: readonly Suggestion[] }>({
    of: '',
    found: NONE,
  });
  const filter = completion?.filter ?? null;
  const typed = completion?.typed ?? '';
  useEffect(() => {
    if (filter === null) return;
    let isWanted = true;
    engine.call('search.values', { filter, text: typed }).then(
      (told) => isWanted && setValues({ of: filter, found: told.values.slice(0, SHOWN).map(suggestionOf) }),
      // Without suggestions the field is as good as before.
      () => isWanted && setValues({ of: filter, found: NONE }),
    );
    return () => {
      isWanted = false;
    };
  }, [engine, filter, typed]);
  if (completion === null) return NONE;
  if (filter === null) return filterSuggestions(typed);
  const isTaken = values.found.some((one) => one.text.toLowerCase() === typed.toLowerCase());
  return values.of === filter && !isTaken ? values.found : NONE;
}

function suggestionOf({ value, label, count }: FilterValueInfo): Suggestion {
  const help = [label, count === null ? null : `${count} transcripts`].filter((part) => part !== null).join(', ');
  // Ids say nothing to people: their transcripts' titles do.
  const isId = label !== null && /^[0-9a-f]{12}$/.test(value);
  return { text: writtenValue(value), label: isId ? label : value, help: help === '' ? value : help };
}
