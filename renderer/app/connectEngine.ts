import { createClient } from '../../core/protocol/createClient.ts';
import { detectHost, type HostBridge } from '../host/index.ts';
import type { EngineClient } from '../state/engine.ts';

/** The line to the engine and the host it goes through; `onLost` runs once when the line breaks. */
export interface Connection {
  readonly engine: EngineClient;
  readonly host: HostBridge | null;
  onLost(listener: () => void): void;
}

/** Connects to the host's engine; in development `?mock` gives one made of sample data. */
export async function connectEngine(query: URLSearchParams): Promise<Connection> {
  if (import.meta.env.DEV && query.has('mock')) {
    const { mockEngine } = await import('../dev/mockEngine.ts');
    const count = Number(query.get('mock')) || 10_000;
    return { engine: mockEngine(count), host: null, onLost: () => undefined };
  }
  const host = detectHost();
  const engine = createClient(await host.connect());
  return { engine, host, onLost: (listener) => engine.onClose(listener) };
}
