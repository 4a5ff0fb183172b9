import { type ImportedTranscript, MemoryTranscript } from '../../importers/memory.ts';
import { namedModel } from '../../insight/pricing.ts';
import { recordedFormat, recordedWindow } from '../../model/transcript.ts';
import type { CountedAbout } from './counting.ts';
import type { RequestedSession } from './sessionRequests.ts';

/** The model a transcript ran on last, as recorded. */
export function importedModel({ meta: { bundle, models }, messages }: ImportedTranscript): string | undefined {
  const last = messages.findLast(({ meta }) => namedModel(meta) !== null);
  return bundle?.transcript.model ?? models?.at(-1) ?? last?.meta.model;
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
  return {
    model,
    window: recordedWindow(meta),
    beside: meta,
    format,
    ...stated,
    metaAt,
    binding,
    plain,
    kept: { usage: null },
  };
}

/** A transcript that was read, as a session whose requests are followed. `plain`: counts as they are. */
export function requestedImport(
  transcript: ImportedTranscript,
  plain: boolean,
  source: RequestedSession['source'] = MemoryTranscript.of(transcript),
): RequestedSession {
  return { source, meta: transcript.meta, about: aboutImported(transcript, plain) };
}
