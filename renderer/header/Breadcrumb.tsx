import { BundleChip } from '../bundle/BundleChip.tsx';
import { ForkedFrom } from '../fork/ForkedFrom.tsx';
import { ParentLink } from '../relations/ParentLink.tsx';
import { RelationsMenu } from '../relations/RelationsMenu.tsx';
import { useAppState } from '../state/context.tsx';
import { plural } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';

/** Where we are: the transcript, what started it, and what belongs to it. */
export function Breadcrumb() {
  const summary = useAppState(
    (state) => state.session.info ?? state.library.transcripts?.find((one) => one.id === state.session.id) ?? null,
  );
  // Of a bundle, whose format its own chip shows: the one it was made of.
  const format = useAppState((state) => state.session.info?.bundle?.format ?? null);
  const turns = useAppState((state) => state.session.info?.turns ?? null);
  return (
    <div className="breadcrumb">
      <b>Parallax</b>
      {summary && (
        <>
          <span className="faint">/</span>
          <ParentLink />
          <ForkedFrom summary={summary} />
          <h1 className="ellipsis" title={summary.title} dir="auto">
            <Seen text={summary.title} />
          </h1>
          <BundleChip />
          <RelationsMenu />
          <span className="chip mute">{format ?? summary.format}</span>
          <span className="breadcrumb-counts mute num">
            <span>{plural(summary.messages, 'message')}</span>
            {turns !== null && <span>{`\u00a0· ${plural(turns, 'turn')}`}</span>}
            {summary.compactions > 0 && <span>{`\u00a0· ${plural(summary.compactions, 'compaction')}`}</span>}
          </span>
        </>
      )}
    </div>
  );
}
