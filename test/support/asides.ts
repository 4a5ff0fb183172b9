// What a client puts beside a conversation, into a random transcript: user messages that begin no turn, and prompts that
// were typed while the agent worked.
import type { MessageMeta } from '../../core/model/message.ts';
import { PROVENANCE_KINDS } from '../../core/model/provenance.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { rawSlice } from '../../core/report/rawSlice.ts';
import type { Rng } from '../../core/util/rng.ts';
import { isRecord } from '../../core/util/unknown.ts';

/** The transcript with asides before some of its answers. */
export function withAsides(texts: readonly string[], rng: Rng): TranscriptSource {
  const all: string[] = [];
  const metas: Pick<MessageMeta, 'provenance'>[] = [];
  const add = (text: string, meta: Pick<MessageMeta, 'provenance'>): void => {
    all.push(text);
    metas.push(meta);
  };
  for (const [at, text] of texts.entries()) {
    const message: unknown = JSON.parse(text);
    const answers = isRecord(message) && message.role === 'assistant';
    for (let more = answers ? rng.below(3) : 0; more > 0; more--) {
      const content = rng.chance(0.2) ? ' ' : `aside ${at} ${'of the client '.repeat(rng.below(9))}`;
      add(JSON.stringify({ role: 'user', content }), { provenance: { kind: rng.pick(PROVENANCE_KINDS) } });
    }
    add(text, {});
  }
  return rawSlice(all, null, [], [], metas);
}
