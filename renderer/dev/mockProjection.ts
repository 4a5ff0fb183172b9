// Rows of a made-up projection: which policy it is hardly matters, every fate occurs.
import { CATEGORIES, type Category } from '../../core/model/category.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import type { Row, TokenFigure } from '../../core/protocol/types.ts';
import type { FateKind } from '../../core/view/types.ts';
import type { MockMessage, MockPart } from './mockData.ts';

interface MockFate {
  readonly kind: FateKind;
  readonly chip: string | null;
  readonly reason: string;
  readonly projected: string | null;
  readonly tokens: number;
}

const KEPT = 'No stage touched this message.';

/** How many last messages the last stage with a `root_window` protects. */
function rootWindow(spec: ProjectionSpec): number {
  const values = spec.stages.map((stage) => stage.options?.root_window).filter((value) => typeof value === 'number');
  return values.at(-1) ?? 8;
}

function fateOf(message: MockMessage, part: MockPart, index: number, at: number, spec: ProjectionSpec): MockFate {
  const kept: MockFate = { kind: 'kept', chip: null, reason: KEPT, projected: part.text, tokens: part.tokens };
  if (spec.stages.length === 0 || part.badges.includes('signed')) return kept;
  if (spec.stages[0]?.kind === 'recorded_compaction' && index < Math.min(8, at)) {
    return {
      ...kept,
      kind: 'summarised',
      chip: 'summary',
      reason: 'Stage 1 replaced #0–#7 by a summary.',
      projected: null,
    };
  }
  if (part.category === 'tool_result' && part.badges.includes('error')) {
    return {
      ...kept,
      kind: 'dropped',
      chip: `repaired at #${index + 2}`,
      reason: `Stage 2: the same call succeeded at #${index + 2}.`,
      projected: null,
    };
  }
  if (part.category === 'tool_result' && part.tokens > 500 && index < at - rootWindow(spec)) {
    const pointer = `[reclaimed] pointer → messages[${index}] · sha256:9f2c61c0a19ab4e1`;
    return {
      kind: 'redacted',
      chip: `−${(part.tokens - 61).toLocaleString('en')}`,
      reason: 'Stage 3: no root names it.',
      projected: pointer,
      tokens: 61,
    };
  }
  if (message.beginsTurn && index % 3 === 0)
    return { ...kept, kind: 'rewritten', chip: 'id', reason: 'Stage 4 rewrote an id.' };
  if (part.badges.includes('injected'))
    return { ...kept, kind: 'merged', chip: 'into #1', reason: 'Stage 4 merged two user messages.' };
  return kept;
}

/** All rows of the projection of `messages` at `at`; runs of kept messages fold if asked. */
export function mockRows(
  messages: readonly MockMessage[],
  spec: ProjectionSpec,
  at: number,
  fold: boolean,
  ghosts: boolean,
): readonly Row[] {
  const rows: Row[] = [];
  const push = (row: Omit<Row, 'row'>) => rows.push({ ...row, row: rows.length });
  if (spec.stages[0]?.kind === 'recorded_compaction') push(summaryRow());
  let run: Omit<Row, 'row'>[] = [];
  const flush = () => {
    const first = run[0];
    const last = run.at(-1);
    if (fold && first && last && last.index - first.index > 8) {
      const count = last.index - first.index + 1;
      const text = `${count.toLocaleString('en')} messages, all kept`;
      const cell = {
        text,
        mono: false,
        tokens: run.reduce((sum, one) => sum + (one.raw?.tokens ?? 0), 0),
        tokensProvenance: 'exact' as const,
      };
      push({
        ...first,
        key: `f${first.index}-${last.index}`,
        kind: 'fold',
        to: last.index + 1,
        raw: cell,
        projected: cell,
        badges: [],
      });
    } else for (const one of run) push(one);
    run = [];
  };
  messages.forEach((message, index) => {
    message.parts.forEach((part, number) => {
      const row = partRow(message, part, index, number, at, spec);
      if (!ghosts && row.projected === null) return;
      if (row.fate === 'kept') run.push(row);
      else {
        flush();
        push(row);
      }
    });
  });
  flush();
  return rows;
}

function partRow(
  message: MockMessage,
  part: MockPart,
  index: number,
  number: number,
  at: number,
  spec: ProjectionSpec,
): Omit<Row, 'row'> {
  const mono = part.category === 'tool_call' || part.category === 'tool_result';
  const future = index >= at;
  const fate = future ? null : fateOf(message, part, index, at, spec);
  const line = (text: string) => text.slice(0, 300).replaceAll(/\s+/g, ' ');
  const cell = (text: string, tokens: number) => ({
    text: line(text),
    mono,
    tokens,
    tokensProvenance: 'exact' as const,
  });
  return {
    key: `m${index}.${number}`,
    kind: 'part',
    index,
    part: number,
    firstOfMessage: number === 0,
    lastOfMessage: number === message.parts.length - 1,
    category: part.category,
    partKind: part.kind,
    label: part.label,
    badges: part.badges,
    timestamp: null,
    raw: cell(part.text, part.tokens),
    projected: fate === null || fate.projected === null ? null : cell(fate.projected, fate.tokens),
    fate: fate?.kind ?? 'future',
    chip: fate?.chip ?? null,
    reason: fate?.reason ?? 'After the call point: the model had not seen it.',
  };
}

function summaryRow(): Omit<Row, 'row'> {
  return {
    key: 's0',
    kind: 'synthetic',
    index: 0,
    to: 8,
    part: 0,
    firstOfMessage: true,
    lastOfMessage: true,
    category: 'user',
    partKind: 'text',
    label: 'summary',
    badges: [],
    timestamp: null,
    raw: null,
    projected: {
      text: 'The user wants the login test stable; session.ts owns the refresh token; two tabs race.',
      mono: false,
      tokens: 1180,
      tokensProvenance: 'exact',
    },
    fate: 'synthetic',
    chip: null,
    reason: 'Stage 1 put this summary in place of #0–#7.',
  };
}

/** Tokens by category of one side of the rows. */
export function mockFigure(rows: readonly Row[], side: 'raw' | 'projected', limit: number): TokenFigure {
  const byCategory = Object.fromEntries(CATEGORIES.map((one) => [one, 0])) as Record<Category, number>;
  for (const row of rows) if (row.index < limit) byCategory[row.category] += row[side]?.tokens ?? 0;
  return { total: Object.values(byCategory).reduce((a, b) => a + b, 0), byCategory, provenance: 'exact' };
}
