import type { StageWord } from '../../core/protocol/types.ts';
import { StageValue } from '../filter/FilterValue.tsx';
import { FATE_GLYPH, fateColor } from '../ui/fate.ts';
import { useWhy } from './useWhy.ts';
import { stageWord } from './words.ts';

/** Of a policy with several stages: what each had to say to the message, the ones that let it stay too. */
export function StageWords({ index }: { readonly index: number }) {
  const why = useWhy(index);
  if (!why || why.fate === null || why.stages.length < 2) return null;
  return (
    <ol className="stage-words" data-testid="stage-words" aria-label="Stage by stage">
      {why.stages.map((word) => (
        <StageWordLine key={word.stage} word={word} />
      ))}
    </ol>
  );
}

function StageWordLine({ word }: { readonly word: StageWord }) {
  const { fate } = word;
  return (
    <li className={fate === null ? 'mute' : undefined}>
      <span aria-hidden style={{ color: fate === null ? undefined : fateColor(fate.kind) }}>
        {fate === null ? '–' : FATE_GLYPH[fate.kind]}
      </span>
      <span className="stage-words-title">
        <StageValue stage={word.stage}>{word.title}</StageValue>
      </span>
      <span className="mute">{stageWord(word)}</span>
    </li>
  );
}
