// What of a covered span is in a summary or in what was carried over: word for word, or by its anchors.
import { parseMessage } from '../../model/decode.ts';
import { readMessage } from '../../model/readMessage.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import { itemText } from '../../view/reader.ts';
import type { ViewItem } from '../../view/types.ts';
import { anchorKey, anchorsOf } from '../anchors/anchors.ts';
import { saidBy } from '../uses/said.ts';
import type { CoveredItem } from './types.ts';

/** How an item survived; null = it did not. */
export type Surviving = 'words' | 'anchors' | null;

/** The texts that stand where a covered span stood, and what was carried over beside them. */
export class StandingTexts {
  readonly #keys = new Set<string>();
  /** Paths by their last segment. */
  readonly #paths = new Map<string, string[]>();
  readonly #texts: string[] = [];

  readonly #source: TranscriptSource;

  constructor(source: TranscriptSource, items: Iterable<ViewItem> = []) {
    this.#source = source;
    for (const item of items) this.add(item);
  }

  add(item: ViewItem): void {
    this.#add(parseMessage(itemText(item, this.#source)));
  }

  /** How an item is there. */
  of({ class: kind, text }: CoveredItem): Surviving {
    switch (kind) {
      case 'paths':
      case 'files_edited':
        return this.#keys.has(text) || this.#hasPath(text) ? 'words' : null;
      case 'identifiers':
      case 'numbers':
        return this.#keys.has(text) ? 'words' : null;
      case 'commands':
        return this.#says(text) ? 'words' : null;
      default:
        return this.#says(text) ? 'words' : this.#namesAll(text) ? 'anchors' : null;
    }
  }

  #add(message: unknown): void {
    for (const { part, fields } of saidBy(message, readMessage(message).parts).parts) {
      if (part.kind === 'thinking' || part.kind === 'opaque') continue;
      for (const field of fields) {
        this.#texts.push(normal(field));
        for (const anchor of anchorsOf(field)) {
          this.#keys.add(anchorKey(anchor));
          if (anchor.kind === 'path') this.#addPath(anchor.text);
        }
      }
    }
  }

  #addPath(path: string): void {
    const name = lastSegment(path);
    const known = this.#paths.get(name);
    if (known === undefined) this.#paths.set(name, [path]);
    else if (!known.includes(path)) known.push(path);
  }

  // `src/a.ts` stands for `/srv/src/a.ts`; `a.ts` alone stands for no other.
  #hasPath(path: string): boolean {
    return (this.#paths.get(lastSegment(path)) ?? []).some((known) => {
      const [short, long] = known.length < path.length ? [known, path] : [path, known];
      return short.includes('/') && `/${long}`.endsWith(`/${short.replace(/^\//, '')}`);
    });
  }

  #says(text: string): boolean {
    const wanted = normal(text);
    return this.#texts.some((own) => own.includes(wanted));
  }

  // True if every anchor of the sentence is there.
  #namesAll(text: string): boolean {
    const anchors = anchorsOf(text).filter(({ kind }) => kind !== 'quoted');
    return (
      anchors.length > 0 && anchors.every((anchor) => this.#keys.has(anchorKey(anchor)) || this.#hasPath(anchor.text))
    );
  }
}

function normal(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
