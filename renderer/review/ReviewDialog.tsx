import './dialogs.css';
import './review.css';
import { CircleAlert, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import { statedWithin } from '../../core/model/statedFinding.ts';
import { useApp, useAppState, useHost } from '../state/context.tsx';
import type { DialogProps } from '../state/dialog.ts';
import { useAnswer } from '../state/useAnswer.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';
import { useSentWords } from '../state/useSentWords.ts';
import { plural } from '../ui/format.ts';
import { Modal } from '../ui/Modal.tsx';
import { FindingChoice } from './FindingChoice.tsx';
import { LeavePanel } from './LeavePanel.tsx';
import { NO_NOTE, NoteFields } from './NoteFields.tsx';
import { policyLine } from './policyLine.ts';
import { ReviewBody } from './ReviewBody.tsx';
import { ReviewFoot } from './ReviewFoot.tsx';
import { useReview } from './useReview.ts';
import { useWriting } from './useWriting.ts';
import { WatchpointChoice } from './WatchpointChoice.tsx';
import { WrittenBundle } from './WrittenBundle.tsx';

/** Looks at what would leave, decides about what was found, and writes it into one file that others can open and verify. */
export function ReviewDialog({ dialog, onClose }: DialogProps<'export'>) {
  const { actions } = useApp();
  const host = useHost();
  const info = useAppState((state) => state.projection.info);
  const session = useAppState((state) => state.session.info);
  const spec = useProjectedSpec();
  const sent = useSentWords();
  const [findings, setFindings] = useState(dialog.findings ?? []);
  const [watchpoints, setWatchpoints] = useState<readonly string[]>([]);
  const [note, setNote] = useState(NO_NOTE);
  const [slice, setSlice] = useState(false);
  const asked = info === null || session === null ? null : { id: session.id, spec: spec ?? info.spec, at: info.at };
  const subject = asked && {
    ...asked,
    findings: statedWithin(findings, asked.at),
    ...(watchpoints.length > 0 && { watchpoints }),
  };
  const review = useReview(subject);
  const { reviewId = null, version = 0 } = review.info ?? {};
  const file = useAnswer('review.finish', reviewId === null ? null : { reviewId, slice }, {
    wait: 150,
    about: reviewId,
    again: [version],
  });
  const finished = file.isLoading || review.isLoading ? null : file.value;
  const writing = useWriting(host);
  if (asked === null || subject === null || info === null || session === null) return null;
  const show = (index: number, part: number | null) => {
    onClose();
    void actions.goToMessage(index, part ?? 0);
  };
  const said = note.expected.trim() !== '' || note.happened.trim() !== '';
  return (
    <Modal
      title="Report a bug"
      testId="export-dialog"
      width="full"
      onClose={onClose}
      unsaved={said && writing.state.kind !== 'written' ? 'What you wrote for the issue is not in a file yet.' : null}
      footer={
        <ReviewFoot
          info={review.info}
          finished={finished}
          state={writing.state}
          onClose={onClose}
          onWrite={() => {
            if (reviewId !== null && finished !== null)
              void writing.write({ ...subject, reviewId, slice, note }, finished.name);
          }}
        />
      }
    >
      {writing.state.kind === 'written' && reviewId !== null ? (
        <div className="review-written">
          <WrittenBundle
            written={writing.state.written}
            host={host}
            page={{ reviewId, note, name: finished?.pageName ?? '' }}
          />
        </div>
      ) : (
        <div className="review" tabIndex={-1} data-autofocus="">
          {review.info === null ? (
            <Waiting error={review.error?.message ?? null} />
          ) : (
            <ReviewBody info={review.info} review={review} finished={finished} onShow={show} />
          )}
          <div className="review-leave">
            {review.info !== null && (
              <LeavePanel
                info={review.info}
                finished={finished}
                error={file.error}
                verb={sent?.verb ?? 'Request'}
                sent={`${plural(info.keptCount, 'message')}, ${sent?.place ?? ''} ${sent?.under ?? ''}`}
                policy={policyLine(info.reports)}
                slice={slice}
                onSlice={setSlice}
              />
            )}
            <NoteFields note={note} onChange={setNote} />
            <FindingChoice
              subject={{ id: asked.id, spec: asked.spec }}
              at={asked.at}
              chosen={findings}
              onChange={setFindings}
            />
            <WatchpointChoice chosen={watchpoints} onChange={setWatchpoints} />
          </div>
        </div>
      )}
    </Modal>
  );
}

function Waiting({ error }: { readonly error: string | null }) {
  return (
    <div className="review-waiting">
      {error === null ? (
        <p className="mute dialog-status" role="status">
          <LoaderCircle size={14} className="spin" aria-hidden /> Looking through everything that would be shared…
        </p>
      ) : (
        <p className="finding finding-error" role="alert">
          <CircleAlert size={14} aria-hidden /> <span>It could not be looked through: {error}</span>
        </p>
      )}
    </div>
  );
}
