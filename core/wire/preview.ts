// A request to look at: whole messages from its beginning, up to a limit, with long texts shortened. What is sent, copied
// and saved is the whole.
import { grouped } from '../util/counts.ts';
import { type JsonVisitor, walkJson } from '../util/json/index.ts';
import type { WireBody } from './types.ts';

/** The beginning of a request. */
export interface WirePreview {
  /** JSON: the head, the first messages, the end. */
  readonly text: string;
  /** Messages (or items) shown, and in all. */
  readonly shown: number;
  readonly total: number;
  /** Long texts that were shortened. */
  readonly shortened: number;
}

/** How much is shown. Characters. */
export interface PreviewLimits {
  readonly chars: number;
  /** The longest text that is shown whole. */
  readonly longest: number;
}

/** Cuts a preview. At least one message is shown. */
export function previewOf({ chunks }: WireBody, { chars, longest }: PreviewLimits): WirePreview {
  const [head = '{', open = '', ...rest] = chunks;
  const messages = rest.slice(0, -1);
  const out: string[] = [];
  let shortened = 0;
  const add = (json: string): number => {
    const cut = shorten(json, longest);
    shortened += cut.count;
    out.push(cut.text);
    return cut.text.length;
  };
  // The head is not a whole value: its end is put on for the walk, and taken off.
  const whole = shorten(`${head}"":0}`, longest);
  shortened += whole.count;
  out.push(whole.text.slice(0, -'"":0}'.length), open);
  let used = out[0]?.length ?? 0;
  let shown = 0;
  for (const message of messages) {
    if (shown > 0 && used > chars) break;
    const comma = message.startsWith(',') ? ',' : '';
    out.push(comma);
    used += add(message.slice(comma.length));
    shown++;
  }
  out.push(rest.at(-1) ?? '');
  return { text: out.join(''), shown, total: messages.length, shortened };
}

const KEPT = 400;

function shorten(json: string, longest: number): { readonly text: string; readonly count: number } {
  if (json.length <= longest) return { text: json, count: 0 };
  const out: string[] = [];
  let from = 0;
  let count = 0;
  const visitor: JsonVisitor = {
    open() {},
    key() {},
    close() {},
    scalar(start, end) {
      if (end - start <= longest || json[start] !== '"') return;
      const keep = safeEnd(json, start, start + Math.min(KEPT, (end - start) >> 1));
      out.push(json.slice(from, keep), `… (${grouped(end - keep - 1)} more characters)"`);
      from = end;
      count++;
    },
  };
  walkJson(json, 0, visitor, true);
  out.push(json.slice(from));
  return { text: out.join(''), count };
}

// Not within an escape, nor between the halves of a surrogate pair.
function safeEnd(json: string, start: number, wanted: number): number {
  let at = start + 1;
  while (at < wanted) {
    const step = json[at] === '\\' ? (json[at + 1] === 'u' ? 6 : 2) : 1;
    if (at + step > wanted) break;
    at += step;
  }
  const last = json.charCodeAt(at - 1);
  return last >= 0xd800 && last <= 0xdbff ? at - 1 : at;
}
