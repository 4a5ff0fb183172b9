// Parts of the screen in their states, with sample data: what the gallery shows besides rows.
import { PanelRight, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Problem } from '../../core/model/problem.ts';
import type { JobInfo, StageInfo } from '../../core/protocol/types.ts';
import { ImportJobs } from '../library/ImportJobs.tsx';
import { StageCard } from '../policy/StageCard.tsx';
import type { StageDrag } from '../policy/useStageDrag.ts';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Segmented } from '../ui/Segmented.tsx';

const ignore = () => undefined;

const STAGE: StageInfo = {
  kind: 'tool_result_retention',
  title: 'Tool-result retention',
  family: 'reducers',
  keepsThinking: 'no',
  traits: {},
  help: 'Results expire after some turns.',
  params: [
    {
      name: 'ttl_turns',
      label: 'Expire after',
      type: 'integer',
      default: 6,
      min: 0,
      softMax: 20,
      help: 'How many turns a result lives.',
    },
  ],
};

const UNORDERED: Problem = { code: 'spec.order', severity: 'warning', text: 'Stage 1 comes after hygiene.', where: {} };

const DRAG: StageDrag = {
  over: null,
  side: 'before',
  target: () => ({ onDragOver: ignore, onDrop: ignore }),
  handle: () => ({ onDragStart: ignore, onDragEnd: ignore }),
};

function Card({ enabled = true, isKnown = true, isDeciding = false, problems = [] as readonly Problem[] }) {
  return (
    <StageCard
      stage={{ kind: STAGE.kind, enabled }}
      at={0}
      count={1}
      info={isKnown ? STAGE : null}
      report={null}
      problems={problems}
      isDeciding={isDeciding}
      isTried={false}
      isNew={false}
      drag={DRAG}
      move={ignore}
      remove={ignore}
    />
  );
}

const job = (jobId: string, over: Partial<JobInfo>): JobInfo => ({
  jobId,
  kind: 'import',
  title: `${jobId}.jsonl`,
  state: 'running',
  progress: null,
  bytesPerSecond: null,
  secondsLeft: null,
  message: '',
  error: null,
  transcriptIds: [],
  ...over,
});

/** What the gallery's app has under way. */
export const GALLERY_JOBS: Readonly<Record<string, JobInfo>> = {
  waiting: job('waiting', { state: 'queued' }),
  unknown: job('unknown', {}),
  far: job('far', { progress: 0.42, bytesPerSecond: 48_000_000, secondsLeft: 3 }),
};

function Failing(): ReactNode {
  throw new Error('no such field');
}

/** Parts by what they show. */
export const GALLERY_PARTS: readonly { readonly title: string; readonly content: ReactNode }[] = [
  {
    title: 'buttons: plain, primary, disabled, icon, pressed; one of a few',
    content: (
      <div className="gallery-line">
        <button type="button" className="button">
          Cancel
        </button>
        <button type="button" className="button button-primary">
          Import
        </button>
        <button type="button" className="button" disabled>
          Not now
        </button>
        <IconButton label="Remove" onClick={ignore}>
          <Trash2 size={14} aria-hidden />
        </IconButton>
        <IconButton label="Drawer" isPressed onClick={ignore}>
          <PanelRight size={14} aria-hidden />
        </IconButton>
        <Segmented
          label="Layout"
          value="side"
          options={[
            { value: 'raw', title: 'Raw' },
            { value: 'side', title: 'Side by side' },
          ]}
          onChange={ignore}
        />
      </div>
    ),
  },
  {
    title: 'stage cards: on, off, deciding, misplaced, unknown kind',
    content: (
      <ul className="gallery-cards">
        <Card />
        <Card enabled={false} />
        <Card isDeciding />
        <Card problems={[UNORDERED]} />
        <Card isKnown={false} />
      </ul>
    ),
  },
  {
    title: 'imports: waiting, begun, under way',
    content: (
      <div className="gallery-narrow">
        <ImportJobs />
      </div>
    ),
  },
  {
    title: 'a part that failed',
    content: (
      <FailureBoundary what="This tab">
        <Failing />
      </FailureBoundary>
    ),
  },
];
