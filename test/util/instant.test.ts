// Times of one session come in any order, zone and precision: what is earlier is decided by the instants.
import { expect, it } from 'vitest';
import { Extent, isoTime } from '../../core/importers/reading/shared.ts';
import { earlier, isBefore, later, millisecondsOf } from '../../core/util/instant.ts';
import { type Rng, seededRng } from '../../core/util/rng.ts';

const START = Date.parse('2026-07-26T22:00:00Z');
const CASES = 500;

/** A time within four hours of midnight, in one of the forms in which clients write it. */
function written(rng: Rng): { readonly time: number; readonly text: string } {
  const time = START + rng.below(4 * 3600) * 1000 + rng.below(3) * 250;
  const at = (hours: number) => new Date(time + hours * 3_600_000).toISOString();
  const forms = [
    at(0),
    time % 1000 === 0 ? at(0).replace('.000Z', 'Z') : at(0),
    at(0).replace('Z', '+00:00'),
    at(2).replace('Z', '+02:00'),
    at(-5).replace('Z', '-0500'),
  ];
  return { time, text: forms[rng.below(forms.length)] ?? at(0) };
}

it('over times in any form, the order is that of the instants', () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const rng = seededRng(seed);
    const [a, b] = [written(rng), written(rng)];
    const of = `seed ${seed}: ${a.text} ${b.text}`;
    if (a.time !== b.time) expect(isBefore(a.text, b.text), of).toBe(a.time < b.time);
    expect(Date.parse(earlier(a.text, b.text) ?? ''), of).toBe(Math.min(a.time, b.time));
    expect(Date.parse(later(a.text, b.text) ?? ''), of).toBe(Math.max(a.time, b.time));
  }
  expect([earlier(null, 'x'), later('x', null), earlier(null, null)]).toEqual(['x', 'x', null]);
});

it('an extent is from the earliest to the latest instant', () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const rng = seededRng(seed);
    const times = Array.from({ length: 1 + rng.below(6) }, () => written(rng));
    const extent = new Extent();
    for (const { text } of times) extent.time(text);
    const { startedAt = '', endedAt = '' } = extent.meta();
    const instants = times.map(({ time }) => time);
    expect([Date.parse(startedAt), Date.parse(endedAt)], `seed ${seed}`).toEqual([
      Math.min(...instants),
      Math.max(...instants),
    ]);
  }
});

it('a time with an offset is read in UTC, so that texts order as instants do; one without a zone stays', () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const { time, text } = written(seededRng(seed));
    expect(isoTime(text), `seed ${seed}: ${text}`).toMatch(/Z$/);
    expect(Date.parse(isoTime(text) ?? ''), `seed ${seed}: ${text}`).toBe(time);
  }
  // Microseconds are kept where no conversion is needed.
  expect(isoTime('2026-07-26T12:00:00.123456+00:00')).toBe('2026-07-26T12:00:00.123456Z');
  for (const zoneless of ['2026-07-26', '2026-07-26 12:00', '2026-07-26T12:00:00.5'])
    expect(isoTime(zoneless)).toBe(zoneless);
  expect(isoTime('12:00')).toBeUndefined();
});

it('over times in the usual form, broken in any place or not, milliseconds are those that the platform reads', () => {
  const platform = (text: string) => (Number.isNaN(Date.parse(text)) ? null : Date.parse(text));
  const letters = '0123456789-:.TZ +x';
  for (let seed = 1; seed <= 20 * CASES; seed++) {
    const rng = seededRng(seed);
    const time = rng.below(2 ** 31) * 2000 - 2 ** 40 + rng.below(1000);
    const usual = new Date(time).toISOString();
    expect(millisecondsOf(usual), `seed ${seed}: ${usual}`).toBe(time);
    const at = rng.below(usual.length);
    const broken = usual.slice(0, at) + letters[rng.below(letters.length)] + usual.slice(at + rng.below(2));
    expect(millisecondsOf(broken), `seed ${seed}: ${broken}`).toBe(platform(broken));
  }
  expect([millisecondsOf(undefined), millisecondsOf(null), millisecondsOf('')]).toEqual([null, null, null]);
});
