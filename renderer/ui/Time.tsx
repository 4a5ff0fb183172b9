import { dayTime, utcTime } from './time.ts';

/** A recorded time, on the person's own clock; in UTC on hover. */
export function Time({ iso, text = dayTime(iso) }: { readonly iso: string; readonly text?: string }) {
  return (
    <time dateTime={iso} title={utcTime(iso)}>
      {text}
    </time>
  );
}
