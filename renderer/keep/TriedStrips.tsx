import './keep.css';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { StateStrip } from '../find/StateStrip.tsx';
import type { Asker } from '../state/textLane.ts';
import type { TriedChange } from '../state/types.ts';
import { useFollowedText } from '../state/useFollowedText.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';
import { useTried } from '../state/useTried.ts';

/** A change of the policy must rest that long: the walk is long. */
const HOW = { at: null, samples: 1200, wait: 400, rest: 400 };
const NO_POINTS: readonly never[] = [];

/** Under the chart while a change is tried: where what it keeps is in the requests, with the change and before. */
export function TriedStrips() {
  const { tried } = useTried();
  const subject = tried?.subject ?? null;
  return tried && subject && <Strips key={`${subject.label} ${subject.text}`} tried={tried} subject={subject} />;
}

interface Props {
  readonly tried: TriedChange;
  readonly subject: NonNullable<TriedChange['subject']>;
}

function Strips({ tried, subject }: Props) {
  const spec = useProjectedSpec();
  return (
    <>
      <Strip
        asker="tried"
        label={subject.label}
        about={`${subject.label}, with the change,`}
        text={subject.text}
        spec={spec}
      />
      <Strip
        asker="before"
        label="before"
        about={`${subject.label}, without the change,`}
        text={subject.text}
        spec={tried.base}
      />
    </>
  );
}

interface StripProps {
  readonly asker: Extract<Asker, 'tried' | 'before'>;
  readonly label: string;
  readonly about: string;
  readonly text: string;
  readonly spec: ProjectionSpec | null;
}

function Strip({ asker, label, about, text, spec }: StripProps) {
  const { trace, isLoading, error } = useFollowedText(asker, text, spec, HOW);
  if (error !== null)
    return (
      <p className="keep-strip-error" role="alert">
        {about} could not be followed: {error.message}
      </p>
    );
  const color = asker === 'before' ? 'var(--mute)' : undefined;
  return (
    <StateStrip
      label={label}
      {...(color !== undefined && { color })}
      about={about}
      points={trace?.points ?? NO_POINTS}
      isLoading={isLoading}
      testId={`keep-strip-${asker}`}
    />
  );
}
