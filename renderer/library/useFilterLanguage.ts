import { useEffect, useState } from 'react';

/** What reads filters. */
export type FilterLanguage = typeof import('./filterLanguage.ts');

/** What reads the list's filter, once it is wanted; null until it is loaded. */
export function useFilterLanguage(isWanted: boolean): FilterLanguage | null {
  const [language, setLanguage] = useState<FilterLanguage | null>(null);
  useEffect(() => {
    if (!isWanted || language !== null) return;
    let isCurrent = true;
    void import('./filterLanguage.ts').then((loaded) => {
      if (isCurrent) setLanguage(loaded);
    });
    return () => {
      isCurrent = false;
    };
  }, [isWanted, language]);
  return language;
}
