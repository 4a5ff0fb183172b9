import type { Use } from '../../core/protocol/types.ts';
import { PresenceMark } from '../find/PresenceMark.tsx';
import { useActions, useAppState } from '../state/context.tsx';
import { formatTokens } from '../ui/format.ts';
import { Seen } from '../ui/Seen.tsx';
import { doubtWord, verbOf } from './words.ts';

const WORDS = {
  original: 'was in the request',
  elsewhere: 'was in the request elsewhere',
  gone: 'was not in the request',
};

/** One use: whether its request held it, who used it, how, and the words that show it. */
export function UseLine({ use, isLater }: { readonly use: Use; readonly isLater: boolean }) {
  const { goToMessage, setAt } = useActions();
  const provenance = useAppState((state) => state.projection.info?.raw.provenance ?? 'estimated');
  const [source] = use.sources;
  const [index, part] = isLater ? [use.at, use.part] : [source?.index ?? use.at, source?.part ?? 0];
  const doubt = doubtWord(use);
  return (
    <li className="uses-line" data-outcome={use.outcome}>
      <PresenceMark state={use.outcome} label={WORDS[use.outcome]} />
      <button type="button" className="link num" onClick={() => void goToMessage(index, part)}>
        #{index}
      </button>
      <span className="mute">{verbOf(use)}</span>
      <span className="uses-evidence mono ellipsis" title={use.evidence}>
        <Seen text={use.evidence.replace(/\s+/g, ' ')} />
      </span>
      <span className="uses-note mute">
        {use.loss !== null && (
          <button type="button" className="link num" title={use.loss.reason} onClick={() => setAt(use.at)}>
            gone since #{use.loss.since}
          </button>
        )}
        {use.outcome === 'gone' && use.tokens > 0 && !use.changed && (
          <span className="num"> {formatTokens(use.tokens, provenance)} tok fetched again</span>
        )}
        {doubt !== '' && <span> {doubt}</span>}
      </span>
    </li>
  );
}
