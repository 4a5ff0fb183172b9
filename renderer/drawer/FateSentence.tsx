import './why.css';
import type { MessageDetail } from '../../core/protocol/types.ts';
import { StageValue } from '../filter/FilterValue.tsx';
import { FATE_GLYPH, fateColor } from '../ui/fate.ts';
import { decidedBy, fateReason, fateWord } from './words.ts';

/** What became of a message, by which stage and why; of one with several parts, of each. */
export function FateSentence({ detail }: { readonly detail: MessageDetail }) {
  const { fate } = detail;
  const stage = decidedBy(fate);
  return (
    <>
      <p className="why-sentence">
        <span aria-hidden style={{ color: fateColor(fate.kind) }}>
          {FATE_GLYPH[fate.kind]}
        </span>{' '}
        <b data-testid="why-fate">
          {fateWord(fate)}
          {stage !== null && (
            <>
              {' by '}
              <StageValue stage={fate.stage}>{stage}</StageValue>
            </>
          )}
        </b>
        <span className="mute"> — {fateReason(fate) || 'no stage touched it.'}</span>
      </p>
      <PartFates detail={detail} />
    </>
  );
}

function PartFates({ detail }: { readonly detail: MessageDetail }) {
  if (detail.parts.length < 2 || detail.fate.parts.length === 0) return null;
  return (
    <ul className="part-fates">
      {detail.fate.parts.map((one) => (
        <li key={one.part}>
          <span aria-hidden style={{ color: fateColor(one.kind) }}>
            {FATE_GLYPH[one.kind]}
          </span>{' '}
          {detail.parts.find((part) => part.part === one.part)?.label ?? 'part'} {one.part + 1}:{' '}
          <span className="mute">{fateReason(one)}</span>
        </li>
      ))}
    </ul>
  );
}
