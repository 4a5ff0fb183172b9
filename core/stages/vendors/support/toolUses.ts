import type { PartPlace } from '../../../model/exchanges.ts';
import { exchangesOf } from '../../../view/exchangesOf.ts';
import type { ViewReader } from '../../../view/reader.ts';
import type { StageContext } from '../../../view/types.ts';

/** A call that was answered, with all its answers. Positions are those of the view. */
export interface ToolUse {
  readonly call: PartPlace;
  readonly name: string | null;
  readonly results: readonly PartPlace[];
}

/** The tool uses of a view, oldest first: calls with a result. A call without one is not a pair yet. */
export function toolUsesOf(reader: ViewReader, context: StageContext): readonly ToolUse[] {
  const uses: ToolUse[] = [];
  for (const exchange of exchangesOf(reader, context)) {
    for (const { message, part, name, results } of exchange.calls) {
      if (results.length > 0) uses.push({ call: { message, part }, name, results });
    }
  }
  return uses;
}
