import type { MessageFacts } from './message.ts';
import { readMessage } from './readMessage.ts';
import type { SummaryArtifact } from './summary.ts';
import type { PlacedCompaction, TranscriptSource } from './transcript.ts';

/**
 * A transcript held in memory: `texts` are the messages' JSON texts. Each is read once, when first asked for. Throws
 * SyntaxError then if it is not JSON.
 */
export function memorySource(
  texts: readonly string[],
  summary: string | null = null,
  compactions: readonly PlacedCompaction[] = [],
  summaries: readonly SummaryArtifact[] = [],
): TranscriptSource {
  const known: (MessageFacts | undefined)[] = [];
  const text = (index: number): string => {
    const found = texts[index];
    if (found === undefined) throw new RangeError(`no message ${index} in a transcript of ${texts.length}`);
    return found;
  };
  return {
    length: texts.length,
    summary,
    text,
    compactions: () => compactions,
    summaries: () => summaries,
    facts(index) {
      const facts = known[index] ?? readMessage(JSON.parse(text(index)));
      known[index] = facts;
      return facts;
    },
  };
}
