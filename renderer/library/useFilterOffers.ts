import { useMemo } from 'react';
import type { Completion, CountedValue } from '../../core/filter/completeIn.ts';
import type { LibraryValue } from '../../core/library/language.ts';
import { useAppState } from '../state/context.tsx';
import type { FilterLanguage } from './useFilterLanguage.ts';

/** Letters of a field's name before it is offered: a word that is looked for may begin like one. */
const LETTERS = 3;

/** What may follow at the caret of the list's filter: fields, and values with how many transcripts have them. */
export function useFilterOffers(
  language: FilterLanguage | null,
  filter: string,
  caret: number | null,
): readonly Completion[] {
  const transcripts = useAppState((state) => state.library.transcripts);
  const field = caret === null ? null : fieldAt(filter, caret);
  const counts = useMemo(() => {
    if (field === null || field === '' || language === null) return {};
    const known = language.LIBRARY_LANGUAGE.fieldNamed(field);
    if (known?.type !== 'value') return {};
    const found = new Map<string, number>();
    for (const one of transcripts ?? []) {
      for (const value of new Set(language.libraryValues(one, known.name)))
        found.set(value, (found.get(value) ?? 0) + 1);
    }
    const values = [...found].map(([value, count]): CountedValue => ({ value, count })).sort(byCount);
    return { [known.name]: values } as Partial<Record<LibraryValue, readonly CountedValue[]>>;
  }, [field, transcripts, language]);
  if (caret === null || field === null || language === null) return [];
  return language.completeIn(language.LIBRARY_LANGUAGE, filter, caret, counts);
}

/** The field whose value is typed; '' = a field's name is; null = neither. */
function fieldAt(filter: string, caret: number): string | null {
  const piece = /(?:^|[\s(-])([^\s(]*)$/.exec(filter.slice(0, caret))?.[1] ?? '';
  const name = /^([a-z]+)[:=]/i.exec(piece)?.[1];
  if (name !== undefined) return name.toLowerCase();
  return /^[a-z]+$/i.test(piece) && piece.length >= LETTERS ? '' : null;
}

function byCount(a: CountedValue, b: CountedValue): number {
  return (b.count ?? 0) - (a.count ?? 0);
}
