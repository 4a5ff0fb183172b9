import type { Problem } from '../model/problem.ts';
import type { Result } from '../util/result.ts';
import type {
  AssetInfo,
  OpenOptions,
  StoredCompaction,
  StoredEvent,
  StoredSource,
  TokenTotals,
  TranscriptRow,
  UnfinishedImport,
} from './types.ts';

/** The library: one SQLite file `library.sqlite` in a folder. (Under construction: the API is settled.) */
export class Library {
  /** Opens or creates the library in `dir`. A library of a newer version is refused (`store.newer_version`), untouched. */
  static open(_dir: string, _options: OpenOptions = {}): Result<Library, Problem> {
    throw new Error('not yet');
  }
  readonly dir: string = '';
  readonly schemaVersion: number = 0;
  close(): void {}
  /** All transcripts, newest import first. */
  list(): readonly TranscriptRow[] {
    throw new Error('not yet');
  }
  /** One transcript; null if the library has none with this id. */
  get(_id: string): TranscriptRow | null {
    throw new Error('not yet');
  }
  /** Opens a transcript for reading; null if there is none with this id. */
  source(_id: string): StoredSource | null {
    throw new Error('not yet');
  }
  /** Removes a transcript and what only it used; false if there was none. */
  remove(_id: string): boolean {
    throw new Error('not yet');
  }
  problems(_id: string): readonly Problem[] {
    throw new Error('not yet');
  }
  /** Events [from, to) in order. */
  events(_id: string, _from: number, _to: number): readonly StoredEvent[] {
    throw new Error('not yet');
  }
  compactions(_id: string): readonly StoredCompaction[] {
    throw new Error('not yet');
  }
  asset(_assetId: string): { readonly info: AssetInfo; readonly data: Uint8Array } | null {
    throw new Error('not yet');
  }
  /** Raw totals by transcript id; transcripts not counted under this tokenizer are absent. */
  tokenTotals(_tokenizer: string): ReadonlyMap<string, TokenTotals> {
    throw new Error('not yet');
  }
  settings(): Readonly<Record<string, unknown>> {
    throw new Error('not yet');
  }
  setSetting(_key: string, _value: unknown): void {}
  unfinished(): readonly UnfinishedImport[] {
    throw new Error('not yet');
  }
}
