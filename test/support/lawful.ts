import { nodeSha256 } from '../../core/engine/nodeHash.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import type { ResolvedStage } from '../../core/projection/parseSpec.ts';
import { PrefixHashCache, prefixHash } from '../../core/projection/prefixHash.ts';
import { project } from '../../core/projection/project.ts';
import { checkLaws } from '../../core/view/laws.ts';
import { createMemo } from '../../core/view/memo.ts';
import type { RunUserCode, StageMemo, UserCodeAnswer } from '../../core/view/types.ts';

const MAY_SPLIT = new Set(['custom', 'summary_prefix']);

// What the identity `(m) => m` returns.
function identity({ messagesJson }: RunUserCode): UserCodeAnswer {
  return { ok: true, resultJson: JSON.stringify(JSON.parse(messagesJson)), steps: 1, logs: [] };
}

/** The laws a projection breaks. The first run starts cold unless a memo is given, the second has what it kept. */
export function checkProjection(
  source: TranscriptSource,
  stages: readonly ResolvedStage[],
  at: number,
  memo: StageMemo = createMemo(),
): readonly string[] {
  const cache = new PrefixHashCache();
  return checkLaws({
    source,
    at,
    run: () => project(source, stages, at, { memo, sha256: nodeSha256, runUserCode: identity }),
    hash: (view) => prefixHash(source, view, nodeSha256, cache),
    sha256: nodeSha256,
    maySplitPairs: stages.some((stage) => MAY_SPLIT.has(stage.kind)),
  });
}

/** At most `limit` of the values, evenly spread, the first and the last always among them. */
export function sampled<T>(values: readonly T[], limit: number): readonly T[] {
  if (values.length <= limit) return values;
  const step = (values.length - 1) / (limit - 1);
  return Array.from({ length: limit }, (_, i) => values[Math.round(i * step)]!);
}
