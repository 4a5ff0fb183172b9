// The totals of an area as they are shown and copied. One place, so that screen and tests agree.

import type { AreaTotals, Provenance } from '../../core/protocol/types.ts';
import { coverWords, partialSum } from '../../core/view/costCover.ts';
import { figureSign, formatCost, formatCount, formatDuration, formatSpan, formatTokens, plural } from '../ui/format.ts';
import { utcTime } from '../ui/time.ts';
import { describeSpan } from './words.ts';

/** A figure with its name, and what explains it; `title` on hover. */
export interface AreaFigure {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly title?: string;
}

/** What is shown of the totals: recorded figures first, then what the policy would make of them; never added up. */
export function areaFigures(totals: AreaTotals, provenance: Provenance, under: string): readonly AreaFigure[] {
  const { calls, hasNext, first, last } = totals;
  const places = first === null ? '' : first === last ? `#${first}` : `#${first}–#${last}`;
  const next = hasNext ? 'the next request is not counted' : '';
  return [
    { name: 'Calls', value: formatCount(calls), note: [places, next].filter((one) => one !== '').join(' · ') },
    ...timeFigures(totals),
    ...recordedFigures(totals),
    ...policyFigures(totals, provenance, under),
  ];
}

function timeFigures({ time }: AreaTotals): readonly AreaFigure[] {
  if (time === null) return [{ name: 'Duration', value: '–', note: 'no times recorded' }];
  const [begins, ends] = [new Date(time.begins).toISOString(), new Date(time.ends).toISOString()];
  const took = formatSpan(time.begins, time.ends);
  const parts = [
    ...(time.answering > 0 ? [`answers ${formatDuration(time.answering)}`] : []),
    ...(time.tools > 0 ? [`tools ${formatDuration(time.tools)}`] : []),
    ...(time.waiting > 0 ? [`waiting ${formatDuration(time.waiting)}`] : []),
  ];
  return [
    {
      name: 'Duration',
      value: took ?? '–',
      note: took === null ? 'one time recorded' : parts.join(' · '),
      title: `${describeSpan(begins, ends)}, local time; ${utcTime(begins)} – ${utcTime(ends)}`,
    },
  ];
}

function recordedFigures(totals: AreaTotals): readonly AreaFigure[] {
  const { calls, recorded } = totals;
  const output = outputFigures(totals);
  if (recorded.requests === 0) {
    const note = output.length === 0 ? 'no usage recorded' : 'no input recorded';
    return [{ name: 'Input, recorded', value: '–', note }, ...output];
  }
  const share = recorded.input === 0 ? 0 : (recorded.read / recorded.input) * 100;
  return [
    {
      name: 'Input, recorded',
      value: formatCount(recorded.input),
      note: `${ofCalls(recorded.requests, calls)}peak ${formatCount(recorded.peak)}`,
    },
    {
      name: 'Cache read',
      value: formatCount(recorded.read),
      note: `${share.toFixed(1)}% of the input · ${formatCount(recorded.written)} written`,
    },
    ...output,
    {
      name: 'Cost, recorded',
      value: recorded.cost === null ? '–' : partialSum(formatCost(recorded.cost), recorded.priced.unpriced ?? 0),
      note: recorded.cost === null ? 'no price known' : `${coverWords(recorded.priced)} · by the price list`,
    },
  ];
}

/** None where no answer records its output. */
function outputFigures({ calls, recorded: { answers, output } }: AreaTotals): readonly AreaFigure[] {
  if (answers === 0) return [];
  const note = `${ofCalls(answers, calls)}thinking included`;
  return [{ name: 'Output, recorded', value: formatCount(output), note }];
}

/** Of how many calls a figure is, where not all record it. */
function ofCalls(recording: number, calls: number): string {
  return recording === calls ? '' : `${formatCount(recording)} of ${plural(calls, 'call')} · `;
}

function policyFigures({ calls, policy }: AreaTotals, provenance: Provenance, under: string): readonly AreaFigure[] {
  if (calls === 0) return [];
  const cost =
    policy.cost === null
      ? ''
      : `${partialSum(`${figureSign(provenance)}${formatCost(policy.cost)}`, policy.unpriced)} · `;
  const breaks = policy.breaks === 0 ? 'no cache break' : plural(policy.breaks, 'cache break');
  const refused = policy.refused === 0 ? '' : ` · ${formatCount(policy.refused)} refused`;
  return [
    {
      name: under === '' ? 'Input, computed' : `Input ${under}`,
      value: formatTokens(policy.tokens, provenance),
      note: `${cost}peak ${formatTokens(policy.peak, provenance)} · ${breaks}${refused}`,
      title: `Computed, not observed: what the requests of the area hold ${under}, the overhead included; served from the cache ${formatTokens(policy.served, provenance)}, written to it ${formatTokens(policy.written, provenance)}`,
    },
  ];
}

/** The totals as text: a line for each figure, tab-separated. */
export function areaText(figures: readonly AreaFigure[]): string {
  return figures.map(({ name, value, note }) => [name, value, note].filter((one) => one !== '').join('\t')).join('\n');
}
