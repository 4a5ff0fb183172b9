import { useCallback, useEffect, useMemo, useState } from 'react';
import type { AskedSweep, SweepInfo } from '../../core/protocol/tuneTypes.ts';
import { useApp } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';

/** The sweep on screen. */
export interface ShownSweep {
  /** null = none was made of this transcript yet, or it is being read. */
  readonly info: SweepInfo | null;
  /** It is not known yet whether there is one. */
  readonly isLoading: boolean;
  readonly error: string | null;
  readonly start: (asked: AskedSweep) => void;
  readonly stop: () => void;
  readonly show: (sweepId: string) => void;
}

/** The sweep of a transcript that is at work or was made last, kept up to date while it runs. */
export function useSweep(transcriptId: string): ShownSweep {
  const { engine } = useApp();
  const [sweepId, setSweepId] = useState<string | null>(null);
  const [info, setInfo] = useState<SweepInfo | null>(null);
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState<string | null>(null);
  const fail = useCallback((thrown: unknown) => setError(toProtocolError(thrown).message), []);
  useEffect(() => {
    let isWanted = true;
    const find = async () => {
      const { sweeps } = await engine.call('tune.list', { id: transcriptId });
      if (!isWanted) return;
      setSweepId(sweeps[0]?.sweepId ?? null);
      if (sweeps.length === 0) setLoading(false);
    };
    void find().catch((thrown: unknown) => {
      setLoading(false);
      fail(thrown);
    });
    return () => {
      isWanted = false;
    };
  }, [engine, transcriptId, fail]);
  useEffect(() => {
    if (sweepId === null) return;
    let [isWanted, isAsking, isStale] = [true, false, false];
    const read = async (): Promise<void> => {
      isStale = isAsking;
      if (isAsking) return;
      isAsking = true;
      const found = await engine.call('tune.get', { sweepId });
      isAsking = false;
      if (!isWanted) return;
      setInfo(found);
      setLoading(false);
      if (isStale) await read();
    };
    const stop = engine.on('tune', (event) => {
      if (event.sweepId === sweepId) void read().catch(fail);
    });
    void read().catch(fail);
    return () => {
      isWanted = false;
      stop();
    };
  }, [engine, sweepId, fail]);
  return useMemo(
    () => ({
      ...{ info: info?.sweepId === sweepId ? info : null, isLoading, error },
      start(asked) {
        setError(null);
        const begin = async () => {
          const { sweepId: started } = await engine.call('tune.start', asked);
          setSweepId(started);
          setInfo(await engine.call('tune.get', { sweepId: started }));
        };
        begin().catch(fail);
      },
      stop() {
        if (sweepId !== null) engine.call('tune.stop', { sweepId }).catch(fail);
      },
      show(other) {
        setError(null);
        setSweepId(other);
      },
    }),
    [engine, info, sweepId, isLoading, error, fail],
  );
}
