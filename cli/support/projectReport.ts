import { CATEGORIES, CATEGORY_LABEL } from '../../core/model/category.ts';
import { figureSign } from '../../core/model/figureSign.ts';
import { harnMetadata } from '../../core/projection/harnResult.ts';
import { allPresets, PRESETS } from '../../core/projection/presets.ts';
import { type SentQuestion, type SentWords, sentWords } from '../../core/projection/sent.ts';
import { STAGES } from '../../core/projection/stages.ts';
import type { TokenFigure } from '../../core/protocol/types.ts';
import type { Calibration } from '../../core/tokens/calibrated.ts';
import { countOf } from '../../core/util/counts.ts';
import { countFates } from '../../core/view/fates.ts';
import { describeSaved } from '../../core/view/savedWords.ts';
import { budgetLines } from './budget.ts';
import { grouped, oneLine, table } from './output.ts';
import type { ProjectOutcome, ProjectRequest } from './result.ts';
import type { TokenReport } from './tokens.ts';

const LISTED = 40;

/** The transcript as a report names it. */
export interface NamedTranscript {
  readonly format: string;
  readonly title: string | null;
  readonly messages: number;
}

/** A projection as people read it. */
export function projectReport(named: NamedTranscript, request: ProjectRequest, outcome: ProjectOutcome): string {
  const { projection, hash, tokens, problems } = outcome;
  const meta = harnMetadata({ source: request.source, projection, stages: request.parsed.stages, hash });
  const next = projection.at === named.messages ? 'the next request' : `before message ${projection.at}`;
  const sent = requestWords(request, projection.reports);
  const lines = [
    ['transcript', `${named.format}${named.title === null ? '' : ` · ${oneLine(named.title, 80)}`}`],
    ['at', `${next} (${countOf(named.messages, 'message')})`],
    ['request', sent.title],
    ['reason', meta.reason],
    ['messages', `${grouped(projection.at)} → ${grouped(projection.view.items.length)}${fatesOf(outcome)}`],
    ...(tokens === null ? [] : tokenLines(tokens)),
    ...(outcome.held === null ? [] : budgetLines(outcome.held, tokens === null ? '' : sign(tokens.projected))),
    ['prefix', hash],
  ];
  return [table(lines), stageLines(outcome), fateLines(outcome), problemLines(problems)]
    .filter((part) => part !== '')
    .join('\n');
}

/** Whether the request of a projection was sent, or would be, and under which policy. */
export function requestWords(
  { source, parsed, at }: Pick<ProjectRequest, 'source' | 'parsed' | 'at'>,
  reports: NonNullable<SentQuestion['reports']>,
): SentWords {
  const hasCompactions = source.compactions().length > 0;
  const hasProjections = (source.projections?.() ?? []).length > 0;
  const { traitsOf } = STAGES;
  return sentWords(
    {
      spec: parsed.spec,
      at,
      messages: source.length,
      hasCompactions,
      hasProjections,
      forkedAt: null,
      reports,
      traitsOf,
    },
    allPresets(PRESETS),
  );
}

function fatesOf({ projection }: ProjectOutcome): string {
  const counts = Object.entries(countFates(projection.fates)).filter(([kind]) => kind !== 'kept');
  return counts.length === 0 ? '' : ` (${counts.map(([kind, count]) => `${grouped(count)} ${kind}`).join(', ')})`;
}

function tokenLines(tokens: TokenReport): string[][] {
  const { raw, projected, label } = tokens;
  const parts = CATEGORIES.filter((category) => projected.byCategory[category] > 0).map(
    (category) => `${CATEGORY_LABEL[category]} ${grouped(projected.byCategory[category])}`,
  );
  return [
    [
      'tokens',
      `${sign(raw)}${grouped(raw.total)} → ${sign(projected)}${grouped(projected.total)} (${countedHow(projected, label)})`,
    ],
    ...(tokens.calibration === null ? [] : [['', describeLine(tokens.calibration)]]),
    ...(parts.length === 0 ? [] : [['', parts.join(', ')]]),
  ];
}

/** `exact with …` is the tokenizer's word: figures that hold images are estimates for all that. */
function countedHow({ provenance }: TokenFigure, label: string): string {
  return provenance === 'estimated' && !label.startsWith('estimated') ? `estimated, texts ${label}` : label;
}

function sign({ provenance }: TokenFigure): string {
  return figureSign(provenance);
}

function describeLine({ base, factor, requests, residual }: Calibration): string {
  return `input ≈ ${grouped(base)} + ${factor.toFixed(2)} × counted, typically ${(residual * 100).toFixed(1)}% off over ${grouped(requests)} requests; --plain-counts leaves it out`;
}

function stageLines({ projection, held }: ProjectOutcome): string {
  if (projection.reports.length === 0) return '';
  const rows = projection.reports.map((report) => {
    const saved = describeSaved(held?.saved?.[report.stage]) ?? '';
    return [String(report.stage + 1), report.title, report.summary, ...(held === null ? [] : [saved])];
  });
  return `Stages\n${table(rows, [0])}`;
}

function fateLines({ projection }: ProjectOutcome): string {
  const rows: string[][] = [];
  let more = 0;
  for (const [index, fate] of projection.fates.entries()) {
    if (fate.kind === 'kept') continue;
    if (rows.length < LISTED) rows.push([`#${index}`, fate.kind, oneLine(fate.reason)]);
    else more++;
  }
  if (rows.length === 0) return '';
  const rest = more === 0 ? '' : `… and ${grouped(more)} more (--json lists all)\n`;
  return `Changed messages\n${table(rows, [0])}${rest}`;
}

function problemLines(problems: ProjectOutcome['problems']): string {
  if (problems.length === 0) return '';
  return `Problems\n${table(problems.map(({ severity, code, text }) => [severity, code, oneLine(text)]))}`;
}
