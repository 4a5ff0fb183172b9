import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Another program's server on this machine, which writes down all that it is sent. */
export interface ForeignServer {
  readonly port: number;
  /** Everything that came: request lines, headers, bodies, and what WebSockets brought with them. */
  recorded(): string;
  /** What it serves on every path. */
  serve(html: string): void;
  close(): Promise<void>;
}

/** Starts one on `address`, at `port` (0 = any free one). */
export async function foreignServer(address = '127.0.0.1', port = 0): Promise<ForeignServer> {
  const seen: string[] = [];
  let page = '<!doctype html><title>another server</title>';
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`, ...request.rawHeaders);
    request.on('data', (chunk: Buffer) => seen.push(chunk.toString('latin1')));
    request.on('end', () => {
      // A server that wants what others keep to themselves.
      response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
      response.setHeader('Access-Control-Allow-Credentials', 'true');
      response.setHeader('Access-Control-Allow-Headers', 'authorization, x-parallax-token');
      response.setHeader('Content-Type', 'text/html');
      response.end(page);
    });
  });
  server.on('upgrade', (request, socket) => {
    seen.push(`UPGRADE ${request.url}`, ...request.rawHeaders);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    recorded: () => seen.join('\n'),
    serve(html) {
      page = html;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
