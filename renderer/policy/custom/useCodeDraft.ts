import { useCallback, useEffect, useRef, useState } from 'react';

export interface CodeDraft {
  readonly code: string;
  /** True while what is typed has not been handed on. */
  readonly isWaiting: boolean;
  /** Grows whenever something other than typing set the text: then, and only then, the editor takes it over. */
  readonly revision: number;
  type(code: string): void;
  /** Puts another text in place of the whole. */
  replace(code: string): void;
  /** Hands on what waits, at once. */
  flush(): void;
}

const WAIT_MS = 400;

/** What is typed, handed on once typing has paused. Another `value` from outside (undo, an import) replaces it. */
export function useCodeDraft(value: string, onRest: (code: string) => void): CodeDraft {
  const [draft, setDraft] = useState(value);
  const [isWaiting, setWaiting] = useState(false);
  const [revision, setRevision] = useState(0);
  const rest = useRef(onRest);
  rest.current = onRest;
  const waiting = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const handedOn = useRef(value);

  const flush = useCallback(() => {
    clearTimeout(timer.current);
    const code = waiting.current;
    waiting.current = null;
    setWaiting(false);
    if (code === null || code === handedOn.current) return;
    handedOn.current = code;
    rest.current(code);
  }, []);
  const type = useCallback(
    (code: string) => {
      setDraft(code);
      setWaiting(true);
      waiting.current = code;
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, WAIT_MS);
    },
    [flush],
  );
  useEffect(() => {
    if (value === handedOn.current) return;
    handedOn.current = value;
    waiting.current = null;
    setDraft(value);
    setRevision((old) => old + 1);
  }, [value]);
  useEffect(() => flush, [flush]);
  const replace = useCallback(
    (code: string) => {
      type(code);
      setRevision((old) => old + 1);
    },
    [type],
  );
  return { code: draft, isWaiting, revision, type, replace, flush };
}
