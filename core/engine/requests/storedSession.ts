// A transcript of the library as a session whose requests are followed, for threads that have no session of the engine.
import { recordedFormat, recordedWindow } from '../../model/transcript.ts';
import { Library, type StoredSource } from '../../store/index.ts';
import { modelOf } from '../session/transcriptModel.ts';
import type { CountedAbout } from './counting.ts';
import type { RequestedSession } from './sessionRequests.ts';

/** A session that was opened, and how what it reads from is closed. */
export interface StoredSession {
  readonly requested: RequestedSession & { readonly source: StoredSource };
  readonly library: Library;
  close(): void;
}

/** Opens a transcript to read; throws where the library cannot be read, or does not have it. */
export function openStored(given: { readonly dir: string; readonly id: string }, plain: boolean): StoredSession {
  const opened = Library.open(given.dir, { readonly: true });
  if (!opened.ok) throw new Error(opened.error.text);
  const library = opened.value;
  const source = library.source(given.id);
  if (source === null) {
    library.close();
    throw new Error(`The library has no transcript ${given.id}.`);
  }
  const row = source.row();
  const { meta, models } = row;
  const metaAt = (index: number) => source.meta(index);
  const model = modelOf(row);
  const about: CountedAbout = {
    ...{
      model: model ?? undefined,
      window: recordedWindow(meta),
      beside: meta,
      format: recordedFormat(meta),
      metaAt,
      plain,
    },
    kept: { usage: null },
    ...(meta.bundle && { stated: meta.bundle.transcript.calibration ?? null }),
    binding: { model, models, meta, metaAt },
  };
  return { requested: { source, meta, about }, library, close: () => library.close() };
}
