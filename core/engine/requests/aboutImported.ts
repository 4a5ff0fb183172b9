import type { ImportedTranscript } from '../../importers/memory.ts';
import { recordedFormat } from '../../model/transcript.ts';
import type { CountedAbout } from './counting.ts';

/** The model a transcript ran on last, as recorded. */
export function importedModel({ meta: { bundle, models }, messages }: ImportedTranscript): string | undefined {
  return bundle?.transcript.model ?? models?.at(-1) ?? messages.findLast((message) => message.meta.model)?.meta.model;
}

/** What of a transcript that was read decides how its requests are counted. */
export function aboutImported(transcript: ImportedTranscript, plain: boolean): CountedAbout {
  const { messages, meta } = transcript;
  const stated = meta.bundle && { stated: meta.bundle.transcript.calibration ?? null };
  const format = recordedFormat(meta);
  const model = importedModel(transcript);
  const metaAt = (index: number) => messages[index]?.meta ?? {};
  const models = [...new Set(messages.flatMap((message) => message.meta.model ?? []))];
  const binding = { model: model ?? null, models, meta, metaAt };
  return { model, beside: meta, format, ...stated, metaAt, binding, plain, kept: { usage: null } };
}
