import { InvalidArgumentError } from 'commander';

/** Parses a port number for commander. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65535)) throw new InvalidArgumentError('a port is 0 to 65535');
  return port;
}
