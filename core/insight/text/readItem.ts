import { parseMessage } from '../../model/decode.ts';
import { partText } from '../../model/partText.ts';
import { readMessage } from '../../model/readMessage.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import { itemText } from '../../view/reader.ts';
import type { ReadItem } from './loss.ts';

/** Reads what a view's item says, for people: parts one below the other, blocks of results joined. */
export function readItem(source: TranscriptSource): ReadItem {
  return (item, part) => {
    const message = parseMessage(itemText(item, source));
    const isRaw = item.kind === 'source' && item.text === undefined;
    const { parts } = isRaw ? source.facts(item.index) : readMessage(message);
    const shown = part === null ? parts : parts.slice(part, part + 1);
    return shown.map((each) => partText(message, each)).join('\n\n');
  };
}
