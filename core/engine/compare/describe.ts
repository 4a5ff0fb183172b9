import { keptWord } from '../../projection/binding/types.ts';
import type { AlignedMark, ComparedInfo, ComparedSide } from '../../protocol/compareTypes.ts';
import { fateCounts } from '../session/projected.ts';
import type { ComparedRequest, Comparison } from './lines.ts';

/** Characters of edits counted within one answer (about 20 ms); what is beyond is an estimate, and says so. */
const COUNT_CHARS = 40_000;

/** Two requests in figures. */
export function describeComparison({ id, session, at, a, b, lines }: Comparison): Omit<ComparedInfo, 'rows' | 'ms'> {
  const counts: Record<AlignedMark, number> = { equal: 0, text: 0, only_a: 0, only_b: 0 };
  for (const { mark } of lines) counts[mark]++;
  const [sideA, sideB] = [describeSide(a), describeSide(b)];
  const isSame = counts.equal === lines.length;
  return {
    comparisonId: id,
    at,
    // Lines are in the transcript's order: of two requests with the same messages one may be in another.
    equal: isSame && isInSameOrder(a, b),
    counts,
    a: sideA.info,
    b: sideB.info,
    equalFromStart: equalTokens(a, lines),
    final: sideA.isCounted && sideB.isCounted && a.tokens.table.complete && !session.isCalibrating,
  };
}

function describeSide({ computed, tokens }: ComparedRequest): {
  readonly info: ComparedSide;
  readonly isCounted: boolean;
} {
  const { projection, synthetics, settled } = computed;
  const { figure, counted } = tokens.viewFigure(projection.view, { chars: COUNT_CHARS });
  const { thinking, providerSafetyBlocked, problems } = projection;
  return {
    isCounted: counted && settled,
    info: {
      items: projection.view.items.length,
      tokens: figure.total,
      provenance: figure.provenance,
      counts: fateCounts(projection, synthetics.length),
      blocked: providerSafetyBlocked,
      refused: thinking !== null && keptWord(thinking) === 'refused',
      problems: problems.flatMap(({ severity, text }) => (severity === 'error' ? [text] : [])).slice(0, 5),
    },
  };
}

function isInSameOrder({ computed: a }: ComparedRequest, { computed: b }: ComparedRequest): boolean {
  const placesOf = ({ projection }: typeof a) =>
    projection.view.items.map((item) => (item.kind === 'source' ? item.index : -1));
  const inB = placesOf(b);
  return placesOf(a).every((index, at) => index === inB[at]);
}

// As long as lines are equal and in order, what both requests begin with.
function equalTokens({ tokens, computed }: ComparedRequest, lines: Comparison['lines']): number {
  const first = lines.findIndex(({ mark }) => mark !== 'equal');
  const items = (first < 0 ? lines : lines.slice(0, first)).flatMap(({ a }) => a ?? []);
  if (first < 0) return tokens.viewFigure(computed.projection.view, { chars: COUNT_CHARS }).figure.total;
  return tokens.viewFigure({ items }, { chars: COUNT_CHARS }).figure.total;
}
