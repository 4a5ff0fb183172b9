import { useMemo } from 'react';
import { useAppState } from '../state/context.tsx';
import { useAnswer } from '../state/useAnswer.ts';

export interface Records {
  /** One record a line, as the file has them; empty while they are read. */
  readonly text: string;
  readonly error: string | null;
}

/** The original records of a message; null = none wanted. */
export function useRecords(index: number | null): Records {
  const id = useAppState((state) => state.session.id);
  const { value, error } = useAnswer('record.get', id === null || index === null ? null : { id, index });
  const text = useMemo(() => value?.records.map((one) => one.json).join('\n') ?? '', [value]);
  return { text, error: error?.message ?? null };
}
