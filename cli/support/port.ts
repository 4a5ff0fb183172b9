import { InvalidArgumentError } from 'commander';

/** Parses a port number for commander. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new InvalidArgumentError('a port is 0 to 65535');
  return port;
}
