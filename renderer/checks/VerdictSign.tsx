import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import type { Verdict } from '../../core/protocol/checkTypes.ts';

const ICON = { failed: CircleX, passed: CircleCheck, unchecked: CircleDashed } as const;

/** The sign of a verdict, by shape and colour; words are beside it. */
export function VerdictSign({ verdict }: { readonly verdict: Verdict }) {
  const Icon = ICON[verdict];
  return <Icon size={14} aria-hidden className="checks-sign" data-verdict={verdict} />;
}
