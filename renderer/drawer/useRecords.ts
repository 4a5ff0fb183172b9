import { useEffect, useState } from 'react';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';

export interface Records {
  /** One record a line, as the file has them; empty while they are read. */
  readonly text: string;
  readonly error: string | null;
}

const NONE: Records = { text: '', error: null };

/** The original records of a message; null = none wanted. */
export function useRecords(index: number | null): Records {
  const { engine } = useApp();
  const id = useAppState((state) => state.session.id);
  const [records, setRecords] = useState(NONE);
  useEffect(() => {
    setRecords(NONE);
    if (id === null || index === null) return;
    let isWanted = true;
    engine.call('record.get', { id, index }).then(
      ({ records: found }) => isWanted && setRecords({ text: found.map((one) => one.json).join('\n'), error: null }),
      (thrown: unknown) => isWanted && setRecords({ text: '', error: toProtocolError(thrown).message }),
    );
    return () => {
      isWanted = false;
    };
  }, [engine, id, index]);
  return records;
}
