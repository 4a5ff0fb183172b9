import { useState } from 'react';
import type { ReviewFinished, ReviewInfo } from '../../core/protocol/reviewTypes.ts';
import { formatCount, plural } from '../ui/format.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { KindList } from './KindList.tsx';
import { OwnRules } from './OwnRules.tsx';
import { Places } from './Places.tsx';
import { Stopped } from './Stopped.tsx';
import type { ReviewState } from './useReview.ts';
import { WholeFile } from './WholeFile.tsx';
import { kindKey } from './words.ts';

interface Props {
  readonly info: ReviewInfo;
  readonly review: ReviewState;
  readonly finished: ReviewFinished | null;
  readonly onShow: (index: number, part: number | null) => void;
}

const VIEWS = [
  { value: 'places', title: 'Places' },
  { value: 'file', title: 'Whole file' },
] as const;
type View = (typeof VIEWS)[number]['value'];

/** What was found on the left, its places or the whole file in the middle. */
export function ReviewBody({ info, review, finished, onShow }: Props) {
  const [chosen, choose] = useState<string | null>(null);
  const [view, setView] = useState<View>(info.found === 0 ? 'file' : 'places');
  const waiting = info.kinds.find(({ undecided }) => undecided > 0);
  const kind = info.kinds.find((one) => kindKey(one) === chosen) ?? waiting ?? info.kinds[0] ?? null;
  const select = (key: string) => {
    choose(key);
    setView('places');
  };
  return (
    <>
      <section className="review-found" aria-label="Found before it leaves">
        <div className="review-found-head">
          <h3>Found before it leaves</h3>
          {info.found > 0 && (
            <span className="mute num">
              {formatCount(info.found)} in {plural(info.messages, 'message')}
            </span>
          )}
        </div>
        <p className="mute">Searched in decoded text, JSON inside strings included. Nothing is sent by Parallax.</p>
        <KindList
          info={info}
          selected={kind === null ? null : kindKey(kind)}
          onSelect={select}
          onDecide={review.decide}
        />
        {info.found === 0 && <p className="review-none">Nothing found. Look at what goes out anyway.</p>}
        <OwnRules rules={info.rules} onChange={review.setRules} />
        <p className="faint review-keep-shape">
          Stand-ins keep their shape: the same value always becomes the same stand-in, paths stay paths.
        </p>
      </section>
      <section className="review-middle" aria-label="Places and file">
        <div className="review-middle-head">
          <b className="ellipsis">{view === 'places' ? (kind?.title ?? 'Places') : 'Whole file'}</b>
          <span className="mute grow ellipsis">{view === 'places' && kind !== null && placesLine(kind)}</span>
          <Segmented label="What is shown" value={view} options={VIEWS} onChange={setView} />
        </div>
        {finished !== null && finished.leftCount > 0 && <Stopped finished={finished} onShow={onShow} />}
        {view === 'places' && kind !== null && (
          <Places key={kindKey(kind)} info={info} kind={kind} onDecide={review.decide} onShow={onShow} />
        )}
        {view === 'places' && kind === null && <p className="faint review-wait">Nothing found.</p>}
        {view === 'file' && finished === null && <p className="faint review-wait">It is being written…</p>}
        {view === 'file' && finished !== null && (
          <WholeFile
            key={String(finished.slice !== null)}
            reviewId={info.reviewId}
            version={info.version}
            finished={finished}
          />
        )}
      </section>
    </>
  );
}

function placesLine({ count, messages }: ReviewInfo['kinds'][number]): string {
  return messages === 0 ? plural(count, 'place') : `${plural(count, 'place')} in ${plural(messages, 'message')}`;
}
