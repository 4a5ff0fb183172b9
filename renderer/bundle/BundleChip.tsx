import './bundle.css';
import { Check, LoaderCircle, Package, X } from 'lucide-react';
import type { BundleInfo } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { type BundleCheck, useBundleCheck } from './useBundleCheck.ts';

/** Of a transcript that was opened from a bundle: that it was, and whether it verifies; nothing for any other. */
export function BundleChip() {
  const bundle = useAppState((state) => state.session.info?.bundle ?? null);
  const check = useBundleCheck();
  if (bundle === null || check === null) return null;
  const state = stateOf(check);
  return (
    <span
      className={`chip bundle-chip bundle-${state}`}
      title={tipOf(bundle, check)}
      role="status"
      data-testid="bundle-chip"
      data-state={state}
    >
      <Package size={11} aria-hidden /> {bundle.emptied > 0 ? 'slice' : 'bundle'}, <Mark state={state} />
      {WORDS[state]}
    </span>
  );
}

type State = 'checking' | 'same' | 'differs' | 'unchecked';
const WORDS: Readonly<Record<State, string>> = {
  checking: 'checking…',
  same: 'verified',
  differs: 'does not verify',
  unchecked: 'not checked',
};

function stateOf(check: BundleCheck): State {
  if (check.kind !== 'checked') return check.kind === 'checking' ? 'checking' : 'unchecked';
  return check.report.same ? 'same' : 'differs';
}

function Mark({ state }: { readonly state: State }) {
  if (state === 'checking') return <LoaderCircle size={11} className="spin" aria-hidden />;
  return state === 'same' ? <Check size={12} aria-hidden /> : <X size={12} aria-hidden />;
}

function tipOf(
  { title, format, at, messages, emptied, prefixHash, engineVersion, createdAt }: BundleInfo,
  check: BundleCheck,
) {
  const of = `Opened from a bug-report bundle of “${title}” (${format}): the ${formatCount(at)} of ${plural(messages, 'message')} before its call point.`;
  const slice =
    emptied === 0
      ? ''
      : ` A slice: ${formatCount(at - emptied)} of them have their words, the others show …; tokens and costs here are those of the slice.`;
  const when = createdAt === null ? '' : `, ${createdAt.slice(0, 10)}`;
  const states = `It states the prefix ${prefixHash.slice(0, 19)}…, written by Parallax ${engineVersion}${when}.`;
  const outcome = {
    checking: 'It is being checked.',
    same: 'Its policy gives the same result here.',
    differs: 'Its policy gives a different result here.',
    unchecked: check.kind === 'failed' ? check.text : '',
  }[stateOf(check)];
  return `${of}${slice} ${states} ${outcome}`;
}
