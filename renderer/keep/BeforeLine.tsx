import './keep.css';
import { useEffect } from 'react';
import { useActions, useAppState } from '../state/context.tsx';
import type { TriedChange } from '../state/types.ts';
import { useAnswer } from '../state/useAnswer.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';
import { useTried } from '../state/useTried.ts';
import type { Chart } from '../ui/chart.ts';
import { beforePath } from './beforePath.ts';

/** The policy must rest that long before both are walked along the session. Unit: ms. */
const REST_MS = 300;

/** Over the bars while a change is tried: what the requests would hold without it, as a dashed line. */
export function BeforeLine({ chart }: { readonly chart: Chart }) {
  const { tried } = useTried();
  return tried && <Line chart={chart} tried={tried} />;
}

function Line({ chart, tried: { base } }: { readonly chart: Chart; readonly tried: TriedChange }) {
  const id = useAppState((state) => state.session.id);
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const isFinal = useAppState((state) => state.projection.info?.final ?? false);
  const isPending = useAppState((state) => state.projection.pending);
  const changed = useProjectedSpec();
  const isAsked = id !== null && changed !== null && !isPending;
  const { toast } = useActions();
  const { value, error } = useAnswer('compare.along', isAsked ? { id, a: base, b: changed } : null, {
    wait: REST_MS,
    about: JSON.stringify([id, base]),
    again: [messages, isFinal],
  });
  const failed = error?.message ?? null;
  useEffect(() => {
    if (failed !== null) toast({ tone: 'error', text: 'The line before the try is not known.', detail: failed });
  }, [failed, toast]);
  if (value === null) return null;
  return <path d={beforePath(chart, value.points)} className="keep-before" data-testid="before-line" />;
}
