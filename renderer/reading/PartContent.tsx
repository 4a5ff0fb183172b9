import './reading.css';
import { useAppState } from '../state/context.tsx';
import { lazily } from '../ui/lazily.tsx';
import { MarkedTexts, Text } from './marker.tsx';
import type { ReadPart } from './PartReading.tsx';

const PartReading = lazily(() => import('./PartReading.tsx').then((file) => file.PartReading), RawPart);

/** The text of a part: as people read it, or as it is recorded, whichever is chosen. */
export function PartContent(part: ReadPart) {
  const isRaw = useAppState((state) => state.ui.rawTexts);
  return isRaw ? <RawPart {...part} /> : <PartReading {...part} />;
}

function RawPart({ kind, text, isFollowed }: ReadPart) {
  const isProse = kind === 'text' || kind === 'thinking';
  return (
    <MarkedTexts isFollowed={isFollowed}>
      <pre className={isProse ? 'part-plain' : 'part-plain mono'} dir="auto" data-testid="raw-text">
        <Text text={text} />
      </pre>
    </MarkedTexts>
  );
}
