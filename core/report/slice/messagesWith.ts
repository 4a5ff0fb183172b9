import { parseMessage } from '../../model/decode.ts';
import { partText } from '../../model/partText.ts';
import type { StatedWatchpoint } from '../../model/statedWatchpoint.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import { textPattern } from '../../util/textPattern.ts';

/** Source indices [0, at) of the messages of which a part says one of the texts, word for word. A step for each message. */
export function* messagesWith(
  source: TranscriptSource,
  at: number,
  texts: readonly Pick<StatedWatchpoint, 'text' | 'matchCase' | 'wholeWord'>[],
): Generator<void, readonly number[]> {
  const patterns = texts.flatMap((one) => textPattern(one.text, one) ?? []);
  const found: number[] = [];
  if (patterns.length === 0) return found;
  for (let index = 0; index < at; index++) {
    const json = source.text(index);
    const near = patterns.filter((pattern) => pattern.mayStandIn(json));
    if (near.length > 0) {
      const message = parseMessage(json);
      const parts = source.facts(index).parts.map((part) => partText(message, part));
      if (near.some((pattern) => parts.some((part) => pattern.find(part, 1).length > 0))) found.push(index);
    }
    yield;
  }
  return found;
}
