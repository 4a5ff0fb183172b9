import { recordedOverhead } from '../../insight/usage/index.ts';
import type { RequestFigure, UsageReport } from '../../insight/usage/types.ts';
import type { Handlers } from '../../protocol/serve.ts';
import type { UsageInfo, UsageTotals } from '../../protocol/types.ts';
import { ok } from '../../util/result.ts';
import type { Engine } from '../engine.ts';
import { modelOf } from '../session/transcriptModel.ts';
import type { UsageReports } from '../session/usage.ts';

/** Recorded usage against the counted history. */
export function usageHandlers(engine: Engine, reports: UsageReports): Pick<Handlers, 'transcript.usage'> {
  return {
    async 'transcript.usage'({ id, from, to, at }) {
      const session = engine.session(id);
      if (!session.ok) return session;
      const report = await reports.of(session.value);
      if (!report.ok) return report;
      if (report.value === null) return ok(COUNTING);
      const { source } = session.value;
      const recorded = session.value.plainTokenizing().beside.counts;
      const overhead = recordedOverhead(report.value.fits, recorded, modelOf(source.row()));
      return ok({ ...infoOf(report.value, from, to, at ?? null), overhead });
    },
  };
}

const NO_TOTALS: UsageTotals = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

const COUNTING: UsageInfo = {
  state: 'counting',
  total: 0,
  requests: [],
  figure: null,
  fits: [],
  overhead: null,
  marks: [],
  misses: [],
  problems: [],
  totals: NO_TOTALS,
};

function infoOf(report: UsageReport, from: number, to: number, at: number | null): Omit<UsageInfo, 'overhead'> {
  const { requests, fits, marks, misses, problems } = report;
  return {
    state: 'ready',
    total: requests.length,
    requests: requests.slice(from, to),
    figure: at === null ? null : (requests.find((request) => request.at === at) ?? null),
    fits,
    marks,
    misses,
    problems,
    totals: requests.reduce(addTo, NO_TOTALS),
  };
}

function addTo(totals: UsageTotals, { input, cacheRead, cacheWrite, output }: RequestFigure): UsageTotals {
  return {
    input: totals.input + input,
    cacheRead: totals.cacheRead + (cacheRead ?? 0),
    cacheWrite: totals.cacheWrite + (cacheWrite ?? 0),
    output: totals.output + (output ?? 0),
  };
}
