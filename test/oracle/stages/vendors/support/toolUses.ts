import type { PartPlace } from '../../../../../core/model/exchanges.ts';
import { exchangesOf } from '../../../../../core/view/exchangesOf.ts';
import type { ViewReader } from '../../../../../core/view/reader.ts';
import type { StageContext } from '../../../../../core/view/types.ts';

/** A call that was answered, with all its answers. Positions are those of the view. */
export interface ToolUse {
  readonly call: PartPlace;
  readonly name: string | null;
  readonly results: readonly PartPlace[];
}

/** The tool uses of a view, oldest first: calls with a result. A call without one is no pair yet. */
export function toolUsesOf(reader: ViewReader, context: StageContext): readonly ToolUse[] {
  const uses: ToolUse[] = [];
  for (const exchange of exchangesOf(reader, context)) {
    for (const { message, part, name, results } of exchange.calls) {
      if (results.length > 0) uses.push({ call: { message, part }, name, results });
    }
  }
  return uses;
}
