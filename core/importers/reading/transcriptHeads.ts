// What the messages of a transcript say of it: its title, the models it was held with, from when to when.
import type { MessageMeta } from '../../model/message.ts';
import { Extent } from './shared.ts';
import type { TrackingSink } from './trackingSink.ts';

/** Reports title and extent of each transcript that a sink writes, as its messages come. */
export class TranscriptHeads {
  readonly #sink: TrackingSink;
  readonly #extents = new Map<string, Extent>();
  readonly #titled = new Set<string>();

  constructor(sink: TrackingSink) {
    this.#sink = sink;
  }

  /** The first title that is found for the transcript being written; `find` is not asked once there is one. */
  title(find: () => string | undefined): void {
    const { key } = this.#sink;
    const title = key === null || this.#titled.has(key) ? undefined : find();
    if (key === null || title === undefined) return;
    this.#titled.add(key);
    this.#sink.meta({ title });
  }

  /** Counts a message, a request or an answer into the extent of the transcript being written. */
  see({ timestamp, model }: Pick<MessageMeta, 'timestamp' | 'model'>): void {
    const { key } = this.#sink;
    if (key === null || (timestamp === undefined && model === undefined)) return;
    const extent = this.#extents.get(key) ?? new Extent();
    this.#extents.set(key, extent);
    extent.time(timestamp);
    extent.model(model);
    this.#sink.meta(extent.meta());
  }
}
