// DuckDB is a binary of its own: where it is not there for this machine, what asks it is skipped with the reason.
import type { DuckDBConnection } from '@duckdb/node-api';

const loaded = await import('@duckdb/node-api').catch((error: unknown) => String(error));

/** Why DuckDB cannot be asked here; null = it can. */
export const MISSING_DUCKDB = typeof loaded === 'string' ? `DuckDB cannot be loaded: ${loaded}` : null;

/** Opens a database in memory, and closes it when `ask` is done. */
export async function withDuckDb<T>(ask: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  if (typeof loaded === 'string') throw new Error(MISSING_DUCKDB ?? '');
  const connection = await (await loaded.DuckDBInstance.create(':memory:')).connect();
  try {
    return await ask(connection);
  } finally {
    connection.closeSync();
  }
}
