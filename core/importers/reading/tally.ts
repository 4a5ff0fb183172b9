import type { Problem } from '../../model/problem.ts';
import type { Origin } from '../../model/transcript.ts';
import { grouped } from '../../util/counts.ts';

interface Entry {
  readonly code: string;
  readonly what: string;
  readonly first: Origin;
  count: number;
}

const TEXTS: Readonly<Record<string, (count: number, what: string) => string>> = {
  'import.unknown_record': (n, what) =>
    `${grouped(n)} ${n === 1 ? 'record has' : 'records have'} the type "${what}", which this version does not know; kept as events.`,
  'import.message_without_content': (n, what) =>
    `${grouped(n)} ${what} ${n === 1 ? 'record has' : 'records have'} no message content; kept as events.`,
  'import.uuid_reused': (n) =>
    `${grouped(n)} ${n === 1 ? 'record repeats a uuid' : 'records repeat uuids'} with other content; all are kept.`,
  'import.missing_parent': (n) =>
    `${grouped(n)} ${n === 1 ? 'entry names a parent' : 'entries name parents'} the file does not hold before them; taken to follow the line before.`,
  'import.late_block': (n) =>
    `${grouped(n)} ${n === 1 ? 'block' : 'blocks'} of an answer came so late that they are separate messages.`,
  'import.history_rewritten': (n) =>
    `${grouped(n)} ${n === 1 ? 'request does' : 'requests do'} not continue the one before; each began a separate transcript.`,
  'import.tools_reordered': (n) =>
    `${grouped(n)} ${n === 1 ? 'request sent' : 'requests sent'} the same tools in another order than the one before: the cache begins again at the tools, and thinking from before may fail on models that check it (not documented).`,
  'import.history_missing': (n) =>
    `${grouped(n)} ${n === 1 ? 'request continues a response' : 'requests continue responses'} the file does not hold; what came before is missing.`,
  'import.missing_attachment': (n) =>
    `${grouped(n)} ${n === 1 ? 'text is' : 'texts are'} kept as an attachment the sample does not hold; the reference is in the message.`,
  'import.answer_reworded': (n) =>
    `${grouped(n)} ${n === 1 ? 'answer was' : 'answers were'} sent back reworded. The reworded text is the message; the recorded answer is kept as an event.`,
  'import.other_choices': (n) =>
    `${grouped(n)} ${n === 1 ? 'response has' : 'responses have'} more than one choice; the first was taken, the rest is in the events.`,
};

/** Findings that may come a thousand times: said once per code and subject, with the count and the first line. */
export class Tally {
  readonly #entries = new Map<string, Entry>();

  /** `code` must be one of those with a text here; `what` is the subject, e.g. the unknown type. */
  add(code: string, first: Origin, what = ''): void {
    const key = `${code}\n${what}`;
    const entry = this.#entries.get(key);
    if (entry) entry.count++;
    else this.#entries.set(key, { code, what, first, count: 1 });
  }

  problems(): readonly Problem[] {
    return [...this.#entries.values()].map(({ code, what, first, count }) => ({
      code,
      severity: 'info',
      text: TEXTS[code]?.(count, what) ?? `${code}: ${grouped(count)}`,
      where: { line: first.line, byteStart: first.byteStart, byteEnd: first.byteEnd },
    }));
  }
}
