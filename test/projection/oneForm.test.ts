// A stage is written once, and kept while call points and options change. The law behind it, for every kind of stage with
// others before and behind it: any way of call points and options gives what one step gives, in views, fates with their
// sentences, those of messages that stay too, and reports. `npm run equality:table` counts the same ways.
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { project } from '../../core/projection/project.ts';
import { createRegistry } from '../../core/projection/registry.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { pin as PIN } from '../oracle/stages/pin.ts';
import { plain } from '../oracle/stages/plain.ts';
import { cases } from '../support/cases.ts';
import { actedIn, KINDS, randomRun, runOf, runUserCode, seen, stagesIn } from '../support/equality/randomRuns.ts';
import { byGrowth, byPoints, byPointsAndOptions, type Compared } from '../support/equality/ways.ts';

/** All stages, with pin as its description alone has it. */
const PLAIN_STAGES = createRegistry(STAGES.stages.map((stage) => (stage.kind === 'pin' ? plain(PIN) : stage)));

// The comparison in words is slow: only where there is something to tell.
function same({ found, expected, label }: Compared): void {
  if (!isDeepStrictEqual(found, expected)) expect(found, `replay: ${label}`).toEqual(expected);
}

describe('pin at one call point is what its description says', () => {
  it('random specs and views', () => {
    for (let nth = 0; nth < cases(400, 120); nth++) {
      const { source, at, spec, options, label } = randomRun(runOf('pin', nth));
      const given = { ...options, runUserCode };
      const found = seen(project(source, stagesIn(spec), at, given));
      same({ found, expected: seen(project(source, stagesIn(spec, PLAIN_STAGES), at, given)), label });
    }
  });
});

describe('any way of call points and options gives what one step gives', () => {
  /** In how many projections each kind touched something. */
  const acted = new Map<string, number>(KINDS.map((kind) => [kind, 0]));

  it.each(KINDS)('%s', (kind) => {
    for (let nth = 0; nth < cases(60, 24); nth++) {
      for (const step of byPointsAndOptions(runOf(kind, nth))) {
        same(step);
        if (step.projection === undefined) continue;
        for (const one of actedIn(step.projection)) acted.set(one, (acted.get(one) ?? 0) + 1);
      }
    }
  });

  it('each stage acted in many projections', () => {
    for (const [kind, runs] of acted) if (kind !== 'raw') expect(runs, kind).toBeGreaterThanOrEqual(cases(50, 16));
  });
});

describe('any way of call points gives what one step gives', () => {
  it.each(KINDS)('%s', (kind) => {
    for (let nth = 0; nth < cases(40, 14); nth++) for (const step of byPoints(runOf(kind, nth))) same(step);
  });
});

// What stands in a message's place may be hidden at one call point as the message was at another: rare among runs of all kinds.
describe('any way gives what one step gives, behind user code that puts its own messages in place of others', () => {
  it.each(['clean_tool_repair', 'squash_failed_calls'])('%s', (kind) => {
    for (let nth = 2; nth < 120; nth += 3) {
      for (const step of byPoints(runOf(kind, nth))) same(step);
      for (const step of byGrowth(runOf(kind, nth))) same(step);
    }
  });
});

describe('a transcript that grows gives what it gives when it is read at once', () => {
  let kept = 0;

  it.each(KINDS)('%s', (kind) => {
    for (let nth = 0; nth < cases(40, 14); nth++) {
      for (const step of byGrowth(runOf(kind, nth), () => kept++)) same(step);
    }
  });

  it('most of the time without reading it again', () => {
    expect(kept).toBeGreaterThan(cases(4_000, 1_400));
  });
});
