// A table as a Parquet file, written as rows come, under another name until it is whole.
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { Cell, Column, ColumnType } from './tables.ts';

/** A row group is written when it holds this many rows, or this much text: what is in memory of a file. */
const GROUP_ROWS = 10_000;
const GROUP_CHARS = 4 * 1024 * 1024;

/** Bytes for a file, handed on after each row group. */
class FileBytes extends ByteWriter {
  readonly #file: number;

  constructor(file: number) {
    super(64 * 1024);
    this.#file = file;
  }

  flush(): void {
    const bytes = new Uint8Array(this.buffer, 0, this.index);
    for (let from = 0; from < bytes.length; ) from += writeSync(this.#file, bytes, from);
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}

/** A Parquet file under way. Its methods throw what the system says. */
export class TableFile {
  readonly #partial: string;
  readonly #file: number;
  readonly #writer: ParquetWriter;
  readonly #columns: readonly Column[];
  #rows: (readonly Cell[])[] = [];
  #chars = 0;

  /** `folder` is there. */
  constructor(folder: string, columns: readonly Column[]) {
    // Nobody can know the name beforehand, and no reader of `*.parquet` takes it.
    this.#partial = `${folder}/part.partial-${randomBytes(8).toString('hex')}`;
    this.#file = openSync(this.#partial, 'wx', 0o600);
    this.#columns = columns;
    const schema = [{ name: 'root', num_children: columns.length }, ...columns.map(schemaOf)];
    this.#writer = new ParquetWriter({ writer: new FileBytes(this.#file), schema, createdBy: 'parallax' });
  }

  /** Adds rows; cells in the order of the columns. */
  add(rows: readonly (readonly Cell[])[]): void {
    for (const row of rows) {
      this.#rows.push(row);
      for (const cell of row) this.#chars += typeof cell === 'string' ? cell.length : 8;
      if (this.#rows.length >= GROUP_ROWS || this.#chars >= GROUP_CHARS) this.#writeGroup();
    }
  }

  /** Ends the file and gives it its name, in place of one that has it. */
  finish(path: string): void {
    if (this.#rows.length > 0) this.#writeGroup();
    this.#writer.finish();
    fsyncSync(this.#file);
    closeSync(this.#file);
    renameSync(this.#partial, path);
  }

  /** Removes the file: it will not be whole. */
  discard(): void {
    closeSync(this.#file);
    rmSync(this.#partial, { force: true });
  }

  #writeGroup(): void {
    const rows = this.#rows;
    const columnData = this.#columns.map(({ name }, at) => ({ name, data: rows.map((row) => row[at] ?? null) }));
    this.#writer.write({ columnData, rowGroupSize: rows.length });
    this.#rows = [];
    this.#chars = 0;
  }
}

const TYPES: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  whole: { type: 'INT32' },
  number: { type: 'DOUBLE' },
  truth: { type: 'BOOLEAN' },
};

function schemaOf({ name, type }: Column): SchemaElement {
  return { name, ...TYPES[type], repetition_type: 'OPTIONAL' };
}
