// Times as they are shown: in the time of the person's own clock; what was recorded, in UTC, is on hover.

/** `zone` = an IANA name; absent = the machine's. */
type Zone = string | undefined;

const formats = new Map<string, Intl.DateTimeFormat>();

function partsOf(iso: string, zone: Zone): Readonly<Record<string, string>> | null {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return null;
  const key = zone ?? '';
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat('en-GB', {
      ...(zone === undefined ? {} : { timeZone: zone }),
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(key, format);
  return Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
}

/** A file may hold any text where a time belongs. */
export function isTime(iso: string | null): iso is string {
  return iso !== null && !Number.isNaN(Date.parse(iso));
}

/** `26 Jul 2026, 17:01`; a text that is not a time stays as it is. */
export function dayTime(iso: string | null, zone?: Zone): string {
  if (iso === null) return '';
  const parts = partsOf(iso, zone);
  return parts ? `${parts.day} ${parts.month} ${parts.year}, ${parts.hour}:${parts.minute}` : iso;
}

/** `26 Jul 17:01`, and `26 Jul 2025` in another year than `now`'s. */
export function shortTime(iso: string | null, now: number, zone?: Zone): string {
  if (iso === null) return '';
  const parts = partsOf(iso, zone);
  if (!parts) return iso;
  const isThisYear = partsOf(new Date(now).toISOString(), zone)?.year === parts.year;
  return `${parts.day} ${parts.month} ${isThisYear ? `${parts.hour}:${parts.minute}` : parts.year}`;
}

/** `17:01:09`. */
export function clockTime(iso: string | null, zone?: Zone): string {
  if (iso === null) return '';
  const parts = partsOf(iso, zone);
  return parts ? `${parts.hour}:${parts.minute}:${parts.second}` : iso;
}

/** `2026-07-26 15:01:09 UTC`, for the hover. */
export function utcTime(iso: string | null): string {
  if (iso === null) return '';
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
