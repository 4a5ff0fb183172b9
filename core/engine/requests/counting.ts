// How a transcript's tokens are counted where no table of counts is kept: by the spec's tokenizer as it counts, else by that
// of the transcript's model, as the provider's where recorded usage allows it. The same as for an open transcript.
import { calibrationFor } from '../../insight/calibration.ts';
import { recordedUsage } from '../../insight/usage/recordedUsage.ts';
import type { UsageReport } from '../../insight/usage/types.ts';
import type { MessageMeta } from '../../model/message.ts';
import type { RecordedOverhead } from '../../model/overheadCounts.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import type { BindingSource } from '../../projection/binding/facts.ts';
import type { ProjectionSpec } from '../../projection/types.ts';
import type { Provenance } from '../../protocol/types.ts';
import { type Calibration, holds } from '../../tokens/calibrated.ts';
import { isTokenizerId, loadCounter, type TokenizerId } from '../../tokens/counters.ts';
import { modelFacts, tokenizerLabel } from '../../tokens/models.ts';
import { type Counting, countedTokens } from '../../view/countedTokens.ts';

/** What of a transcript decides how its requests are counted: its model, the overhead, recorded usage. */
export interface CountedAbout {
  readonly model: string | undefined;
  /** The window that the runtime recorded, in tokens; null or absent = nothing but the model says. */
  readonly window?: number | null;
  readonly beside: RecordedOverhead;
  /** What recorded it; absent = not known. */
  readonly format?: string;
  /** Of a bundle: the line it was counted by, in place of one drawn here; null = none. */
  readonly stated?: Calibration | null;
  /** Counts as they are, whatever was recorded. */
  readonly plain?: boolean;
  /** What is recorded of its requests' thinking; absent: nothing, and it is not checked. */
  readonly binding?: BindingSource;
  /** Absent: nothing is recorded of the messages. */
  readonly metaAt?: (index: number) => MessageMeta;
  /** Where the report of recorded usage is kept; absent = it is made whenever it is asked for. */
  readonly kept?: { usage: UsageReport | null };
}

/** What requests must fit where no spec says it: as recorded, else by the model; null = it is not known. Unit: tokens. */
export function windowOf({ model, window }: Pick<CountedAbout, 'model' | 'window'>): number | null {
  return window ?? modelFacts(model).window;
}

/** A way to count. */
export interface TokenCounting extends Counting {
  readonly tokenizer: TokenizerId;
  readonly label: string;
  /** The line that makes counts the provider's; null = they are plain. */
  readonly calibration: Calibration | null;
  /** How figures may be called, images left aside. */
  readonly provenance: Exclude<Provenance, 'recorded'>;
}

/** How the requests of a spec are counted. */
export async function countingOf(
  source: TranscriptSource,
  { tokenizer: chosen }: Pick<ProjectionSpec, 'tokenizer'>,
  about: CountedAbout,
): Promise<TokenCounting> {
  const facts = modelFacts(about.model);
  const named = chosen !== undefined && isTokenizerId(chosen) ? chosen : null;
  const tokenizer = named ?? facts.tokenizer;
  const exact = tokenizer !== 'estimate' && (named !== null || facts.exact);
  const plain = { counter: await loadCounter(tokenizer), tokenizer, exact, images: facts.images };
  const calibration = named !== null || about.plain === true ? null : calibrationOf(source, plain, about);
  const label = named === null && tokenizer === facts.tokenizer ? facts.label : tokenizerLabel(tokenizer, exact);
  if (calibration === null) return { ...plain, label, calibration, provenance: exact ? 'exact' : 'estimated' };
  const { factor } = calibration;
  return { ...plain, factor, label: 'calibrated by recorded usage', calibration, provenance: 'calibrated' };
}

function calibrationOf(source: TranscriptSource, plain: Counting, about: CountedAbout): Calibration | null {
  if (about.stated !== undefined) return about.stated;
  const { fits } = usageOf(source, plain, about, '');
  const line = calibrationFor(fits, about.model ?? null);
  return holds(line) ? line : null;
}

/** Recorded usage held against plain counts. `label` = how they are made, in words. */
export function usageOf(
  source: TranscriptSource,
  plain: Counting,
  { metaAt, format, kept }: CountedAbout,
  label: string,
): UsageReport {
  const found = kept?.usage ?? null;
  if (found !== null && label === '') return found;
  const made = recordedUsage(source, (index) => metaAt?.(index) ?? {}, countedTokens(source, plain), label, format);
  if (kept !== undefined) kept.usage = made;
  return made;
}
