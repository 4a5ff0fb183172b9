import { CATEGORIES, type Category } from '../../core/model/category.ts';
import type { TranscriptSource } from '../../core/model/transcript.ts';
import { resolveBudget } from '../../core/projection/budgetSpec.ts';
import type { Projection, ProjectionSpec } from '../../core/projection/types.ts';
import type { TokenFigure } from '../../core/protocol/types.ts';
import { isTokenizerId, loadCounter, type TokenCounter } from '../../core/tokens/counters.ts';
import { modelFacts, tokenizerLabel } from '../../core/tokens/models.ts';
import { partTokens } from '../../core/tokens/partTokens.ts';
import { createMemo } from '../../core/view/memo.ts';
import { readView } from '../../core/view/reader.ts';
import type { View } from '../../core/view/types.ts';

/** Tokens before and after a projection, by one tokenizer. */
export interface TokenReport {
  readonly tokenizer: string;
  readonly label: string;
  readonly window: number | null;
  readonly raw: TokenFigure;
  readonly projected: TokenFigure;
}

/** Counts messages [0, at) and the projected ones, by the spec's tokenizer, else that of the transcript's model. */
export async function countTokens(
  source: TranscriptSource,
  projection: Projection,
  spec: ProjectionSpec,
  model: string | undefined,
): Promise<TokenReport> {
  const facts = modelFacts(model);
  const named = spec.tokenizer !== undefined && isTokenizerId(spec.tokenizer) ? spec.tokenizer : null;
  const id = named ?? facts.tokenizer;
  const exact = id !== 'estimate' && (named !== null || facts.exact);
  const counter = await loadCounter(id);
  const rawItems = Array.from({ length: projection.at }, (_, index) => ({ kind: 'source', index }) as const);
  const known = new Map<string, Counted>();
  const figure = (view: View): TokenFigure => viewFigure(view, source, { counter, exact, images: facts.images, known });
  return {
    tokenizer: id,
    label: named === null && id === facts.tokenizer ? facts.label : tokenizerLabel(id, exact),
    window: resolveBudget(spec.budget, { specWindow: spec.window, own: facts.window })?.window ?? null,
    raw: figure({ items: rawItems }),
    projected: figure(projection.view),
  };
}

interface Counting {
  readonly counter: TokenCounter;
  readonly exact: boolean;
  readonly images: ReturnType<typeof modelFacts>['images'];
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
    const text = reader.text(position);
    const counted = counting.known.get(text) ?? countMessage(text, reader.facts(position), counting);
    counting.known.set(text, counted);
    for (const category of CATEGORIES) sums[category] += counted.byCategory[category] ?? 0;
    images ||= counted.images;
  }
  const total = CATEGORIES.reduce((sum, category) => sum + sums[category], 0);
  return { total, byCategory: sums, provenance: counting.exact && !images ? 'exact' : 'estimated' };
}

function countMessage(text: string, facts: ReturnType<TranscriptSource['facts']>, counting: Counting): Counted {
  const { tokens, images } = partTokens(JSON.parse(text), facts, counting.counter, counting.images);
  const byCategory: Partial<Record<Category, number>> = {};
  for (const [at, part] of facts.parts.entries()) {
    byCategory[part.category] = (byCategory[part.category] ?? 0) + (tokens[at] ?? 0);
  }
  return { byCategory, images };
}
