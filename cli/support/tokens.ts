import { type CountedAbout, countingOf, type TokenCounting, windowOf } from '../../core/engine/requests/index.ts';
import { CATEGORIES, type Category } from '../../core/model/category.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { resolveBudget } from '../../core/projection/budgetSpec.ts';
import type { Projection, ProjectionSpec } from '../../core/projection/types.ts';
import type { Provenance, TokenFigure } from '../../core/protocol/types.ts';
import { type Calibration, scaled } from '../../core/tokens/calibrated.ts';
import { partTokens } from '../../core/tokens/partTokens.ts';
import { createMemo } from '../../core/view/memo.ts';
import { readView } from '../../core/view/reader.ts';
import { isUnrendered } from '../../core/view/tokens.ts';
import type { View } from '../../core/view/types.ts';

/** Tokens before and after a projection, by one tokenizer. */
export interface TokenReport {
  readonly tokenizer: string;
  readonly label: string;
  /** The line that made the counts the provider's; null = they are plain. */
  readonly calibration: Calibration | null;
  readonly window: number | null;
  readonly raw: TokenFigure;
  readonly projected: TokenFigure;
}

/** Counts messages [0, at) and the projected ones, as countingOf says. */
export async function countTokens(
  source: TranscriptSource,
  projection: Projection,
  spec: ProjectionSpec,
  about: CountedAbout,
): Promise<TokenReport> {
  const counting = await countingOf(source, spec, about);
  const rawItems = Array.from({ length: projection.at }, (_, index) => ({ kind: 'source', index }) as const);
  const known = new Map<string, Counted>();
  const figure = (view: View): TokenFigure => viewFigure(view, source, { ...counting, known });
  const { window = null } =
    resolveBudget(spec.budget, { specWindow: spec.window, own: windowOf(about), model: about.model }) ?? {};
  return {
    tokenizer: counting.tokenizer,
    label: counting.label,
    calibration: counting.calibration,
    window,
    raw: figure({ items: rawItems }),
    projected: figure(projection.view),
  };
}

interface Counting extends TokenCounting {
  /** Messages counted already, by their text: most of a projection is the raw history. */
  readonly known: Map<string, Counted>;
}

interface Counted {
  readonly byCategory: Readonly<Partial<Record<Category, number>>>;
  readonly images: boolean;
}

function viewFigure(view: View, source: TranscriptSource, counting: Counting): TokenFigure {
  const reader = readView(view, source, createMemo());
  const sums: Record<Category, number> = {
    system: 0,
    user: 0,
    assistant: 0,
    thinking: 0,
    tool_call: 0,
    tool_result: 0,
    image: 0,
  };
  let images = false;
  for (let position = 0; position < reader.length; position++) {
    if (isUnrendered(reader.item(position))) continue;
    const text = reader.text(position);
    const counted = counting.known.get(text) ?? countMessage(text, reader.facts(position), counting);
    counting.known.set(text, counted);
    for (const category of CATEGORIES) sums[category] += counted.byCategory[category] ?? 0;
    images ||= counted.images;
  }
  const total = CATEGORIES.reduce((sum, category) => sum + sums[category], 0);
  return { total, byCategory: sums, provenance: provenanceOf(counting, images) };
}

// Images are estimated by a rule; a calibrated figure has taken that in.
function provenanceOf({ provenance }: TokenCounting, images: boolean): Provenance {
  return provenance === 'exact' && images ? 'estimated' : provenance;
}

function countMessage(text: string, facts: ReturnType<TranscriptSource['facts']>, counting: Counting): Counted {
  const { tokens, images } = partTokens(JSON.parse(text), facts, counting.counter, counting.images);
  const byCategory: Partial<Record<Category, number>> = {};
  for (const [at, part] of facts.parts.entries()) {
    byCategory[part.category] = (byCategory[part.category] ?? 0) + scaled(tokens[at] ?? 0, counting.factor ?? 1);
  }
  return { byCategory, images };
}
