import './keep.css';
import { useState } from 'react';
import { applyPatch } from '../../core/insight/keep/patch.ts';
import type { KeepFound } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import type { TriedChange } from '../state/types.ts';
import { useDetail } from '../state/useDetail.tsx';
import { usePolicyEdit } from '../state/usePolicyEdit.ts';
import { useTried } from '../state/useTried.ts';
import { whyText } from '../state/whyText.ts';
import { DrawerNote } from '../ui/DrawerNote.tsx';
import { plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { KeepTable } from './KeepTable.tsx';
import { PinWays } from './PinWays.tsx';
import { type KeepRow, useKeep, type Wanted } from './useKeep.ts';
import { usePins } from './usePins.ts';

/** What would have kept what is gone, at what price: a list, of which one change at a time can be tried. */
export function KeepTab() {
  const { wanted, other, choose } = useWanted();
  const { tried, base } = useTried();
  const subject = useSubject(wanted);
  const edit = usePolicyEdit();
  const { setTried, takeBackTried } = useActions();
  const { found, rows, isLoading, error } = useKeep(wanted, base);
  const pins = usePins(wanted, base, found);
  if (wanted === null) return <DrawerNote>Select a message, or look for a text, to see what would keep it.</DrawerNote>;
  if (error !== null) return <p className="drawer-note drawer-error">Not computed: {error.message}</p>;
  if (found === null || base === null) {
    return <DrawerNote>{isLoading ? 'Trying changes of the policy…' : 'Nothing is projected yet.'}</DrawerNote>;
  }
  const all = pins.row === null ? rows : [...rows, pins.row];
  const toggle = ({ change }: KeepRow) => {
    if (tried?.words === change.words) return takeBackTried();
    edit(
      (spec) => {
        const after = applyPatch(tried === null ? spec : base, change.patch);
        setTried({
          words: change.words,
          base,
          after: JSON.stringify(after.stages),
          stages: stagesOf(change.patch),
          subject,
        });
        return after;
      },
      tried === null ? 'push' : 'replace',
    );
  };
  return (
    <div className="keep" data-testid="keep" data-state={found.state} aria-busy={isLoading}>
      <Head found={found} wanted={wanted} isTrying={tried !== null} />
      {other !== null && (
        <p className="mute">
          <button type="button" className="link" onClick={choose}>
            Keep {'text' in other ? 'the text found' : `message #${other.message}`} instead
          </button>
        </p>
      )}
      {all.length > 0 && <KeepTable rows={all} tried={tried} onToggle={toggle} />}
      {found.state !== 'not_said' && <PinWays pins={pins} />}
      {found.useless.length > 0 && <p className="mute">No value does it: {found.useless.join('; ')}</p>}
    </div>
  );
}

/** What the strips of a try follow: the text, or what the message says; null = it says nothing that could be followed. */
function useSubject(wanted: Wanted | null): TriedChange['subject'] {
  const { detail } = useDetail();
  const part = useAppState(({ selection }) => (selection?.kind === 'message' ? selection.part : 0));
  if (wanted === null) return null;
  if ('text' in wanted) return { label: 'kept', text: wanted.text };
  if (detail?.index !== wanted.message) return null;
  const text = whyText(detail.parts.find((one) => one.part === part) ?? detail.parts[0]);
  return text === null ? null : { label: `#${wanted.message}`, text };
}

/** Positions of the stages that a change is made to. */
function stagesOf(patch: KeepRow['change']['patch']): readonly number[] {
  const places = patch.flatMap(({ path }) => /^\/stages\/(\d+)/.exec(path)?.[1] ?? []);
  return [...new Set(places.map(Number))];
}

// A text that was looked for, or the selected message; where there are both, the text until the other is chosen.
function useWanted() {
  const text = useAppState(({ find }) => (find.isOpen && find.text.trim() !== '' ? find.text.trim() : null));
  const message = useAppState(({ selection }) => (selection?.kind === 'message' ? selection.index : null));
  const [prefersMessage, setPrefers] = useState(false);
  const byText: Wanted | null = text === null ? null : { text };
  const byMessage: Wanted | null = message === null ? null : { message };
  const isMessage = byText === null || (prefersMessage && byMessage !== null);
  const [wanted, other] = isMessage ? [byMessage, byText] : [byText, byMessage];
  return { wanted, other, choose: () => setPrefers(!prefersMessage) };
}

function Head({
  found,
  wanted,
  isTrying,
}: {
  readonly found: KeepFound;
  readonly wanted: Wanted;
  readonly isTrying: boolean;
}) {
  const at = useAppState(({ projection, session }) =>
    projection.at === session.info?.messages ? null : projection.at,
  );
  const where = at === null ? 'the next request' : `the request at call #${at}`;
  const who = 'text' in wanted ? `“${shortened(wanted.text)}”` : `#${wanted.message}`;
  const { state, takers, changes, tried } = found;
  if (state === 'there')
    return (
      <p>
        <b>
          <Seen text={who} /> is in {where}.
        </b>{' '}
        <span className="mute">Nothing to change.</span>
      </p>
    );
  if (state === 'not_said')
    return (
      <p>
        <b>
          <Seen text={who} /> is not said before {where}.
        </b>
      </p>
    );
  const by = takers.map(({ stage, title, reason }) => `stage ${stage + 1}, ${title}: ${reason}`).join('; then ');
  return (
    <p data-testid="keep-head">
      <b>
        <Seen text={who} /> is not in {where}
        {'message' in wanted && ', word for word'}
      </b>
      {isTrying && ' without the change that is tried'}
      <span className="mute"> — by {by}.</span>{' '}
      {changes.length === 0 ? (
        <>No change of the policy keeps it.</>
      ) : (
        <>{plural(changes.length, 'change')} would keep it</>
      )}
      <span className="mute"> ({plural(tried, 'policy', 'policies')} projected).</span>
    </p>
  );
}

function shortened(text: string): string {
  const line = text.replace(/\s+/gu, ' ');
  return line.length <= 60 ? line : `${[...line].slice(0, 59).join('')}…`;
}
