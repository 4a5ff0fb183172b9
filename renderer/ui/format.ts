// Numbers and times as they are shown. One place, so that screen and tests agree.
import { figureSign } from '../../core/model/figureSign.ts';
import type { Provenance } from '../../core/protocol/types.ts';

const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** `186,204`. */
export function formatCount(value: number): string {
  return WHOLE.format(value);
}

/** `186k`, `1.05M`: for places with no room for more. */
export function formatShort(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 10_000) return `${trim(value / 1000)}k`;
  if (value < 999_500) return `${Math.round(value / 1000)}k`;
  return `${value < 9_995_000 ? trim(value / 1_000_000, 2) : trim(value / 1_000_000)}M`;
}

/** `$1.24`, `$0.0031`, `$1,240`. */
export { shortDollars as formatCost } from '../../core/util/dollars.ts';

export { figureSign };

/** `about `, in a sentence, of what is not exact. */
export function aboutWord(provenance: Provenance): string {
  return figureSign(provenance) === '' ? '' : 'about ';
}

/** Tokens with their provenance: `≈1,204` is calibrated, `~1,204` estimated, `–` not counted. */
export function formatTokens(tokens: number | null, provenance: Provenance): string {
  return tokens === null ? '–' : `${figureSign(provenance)}${formatCount(tokens)}`;
}

/** `67%`; `–` of nothing. None and all are said only where it is none and all: else `<1%` and `>99%`. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0) return '–';
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 1) return '<1%';
  return percent < 100 && Math.round(percent) === 100 ? '>99%' : `${Math.round(percent)}%`;
}

/** Change in percent, with a true minus: `−67%`; null where nothing changed or there is nothing to compare with. */
export function formatChange(before: number, after: number): string | null {
  if (before === 0) return null;
  const percent = Math.round(((after - before) / before) * 100);
  if (before === after) return null;
  if (percent === 0) return '±0%';
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent)}%`;
}

/** `3.1 ms`, `240 ms`, `1.4 s`. */
export function formatMs(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(1)} s`;
}

/** `39 min 20 s`, `2 h 5 min`, `480 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${formatCount(Math.round(hours / 24))} days`;
}

/** The time between the first and the last moment recorded; null = one moment says nothing of how long it took. Unit: ms. */
export function formatSpan(begins: number | null, ends: number | null): string | null {
  return begins === null || ends === null || begins === ends ? null : formatDuration(ends - begins);
}

/** `48 MB/s`, `820 kB/s`. */
export function formatRate(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}

/** `1.2 kB`, `820 kB`, `4.8 MB`, decimal units; kilobytes as rows say them. */
export function formatBytes(bytes: number): string {
  if (bytes < 999.5) return `${Math.round(bytes)} B`;
  if (bytes < 10_000) return `${(bytes / 1000).toFixed(1)} kB`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  if (bytes < 999_950_000) return `${trim(bytes / 1_000_000)} MB`;
  return `${trim(bytes / 1_000_000_000)} GB`;
}

/** `12 s left`, `3 min left`. */
export function formatLeft(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s left`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min left`;
  return `${Math.round(seconds / 3600)} h left`;
}

/** `sha256:61c0…9ab4`. */
export function shortHash(hash: string): string {
  const colon = hash.indexOf(':');
  const digits = hash.slice(colon + 1);
  if (digits.length <= 10) return hash;
  return `${hash.slice(0, colon + 1)}${digits.slice(0, 4)}…${digits.slice(-4)}`;
}

/** `1 message`, `412 messages`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

function trim(value: number, digits = 1): string {
  return value.toFixed(digits).replace(/\.?0+$/, '');
}
