// What a person chose for a transcript, as the library keeps it. A kept spec is parsed when it is read: a later version of
// the program may know its stages otherwise.
import { parseSpec } from '../../projection/parseSpec.ts';
import { STAGES } from '../../projection/stages.ts';
import type { Params } from '../../protocol/methods.ts';
import type { TranscriptChoice } from '../../protocol/types.ts';
import type { Library } from '../../store/index.ts';
import type { TranscriptRow } from '../../store/types.ts';
import { isRecord, numberAt, ownAt, stringAt } from '../../util/unknown.ts';

/** The JSON text to keep; null = nothing is chosen. */
export function choiceText(choice: Params<'transcript.setChoice'>['choice']): string | null {
  const { spec = null, window = null, tokenizer = null } = choice ?? {};
  return spec === null && window === null && tokenizer === null ? null : JSON.stringify({ spec, window, tokenizer });
}

/** What a transcript is looked at with before a person chooses: one that was opened from a bundle, with its policy. */
function choiceAtFirst({ meta }: TranscriptRow): TranscriptChoice | null {
  const parsed = meta.bundle === undefined ? null : parseSpec(meta.bundle.spec, STAGES);
  return parsed?.ok === true ? { spec: parsed.value.spec, window: null, tokenizer: null } : null;
}

/** What a transcript is looked at with when it is opened; null = nobody chose anything for it. */
export function chosenFor({ tables }: Pick<Library, 'tables'>, row: TranscriptRow): TranscriptChoice | null {
  return readChoice(tables.choices.get(row.id)) ?? choiceAtFirst(row);
}

/** A kept choice. A spec that does not parse any more was not chosen; the rest of the choice holds. */
function readChoice(text: string | null): TranscriptChoice | null {
  const value: unknown = text === null ? null : JSON.parse(text);
  if (!isRecord(value)) return null;
  const spec = ownAt(value, 'spec') ?? null;
  const parsed = spec === null ? null : parseSpec(spec, STAGES);
  return {
    spec: parsed?.ok === true ? parsed.value.spec : null,
    window: numberAt(value, 'window') ?? null,
    tokenizer: stringAt(value, 'tokenizer') ?? null,
  };
}
