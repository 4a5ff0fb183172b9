// `npm run dev` serves the renderer's sources: each page it names, and the modules that page loads.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEV_PAGES, type DevServer, startDev } from '../../cli/dev.ts';

let server: DevServer;
beforeAll(async () => {
  server = await startDev(0);
});
afterAll(() => server.close());

const get = async (path: string) => {
  const response = await fetch(new URL(path, server.address));
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

describe('the server of the sources', () => {
  it('is at 127.0.0.1 alone', () => expect(new URL(server.address).hostname).toBe('127.0.0.1'));

  it.each(Object.keys(DEV_PAGES))('%s follows changes', async (page) => {
    const { status, text } = await get(page);
    expect(status).toBe(200);
    expect(text).toContain('/@vite/client');
    expect(text).toContain('/main.tsx');
  });

  it.each(['main.tsx', 'dev/gallery.tsx', 'dev/mockEngine.ts'])('%s is served as a module', async (module) => {
    const { status, type, text } = await get(module);
    expect({ status, type }).toEqual({ status: 200, type: 'text/javascript' });
    expect(text).toMatch(/\bimport\b/);
  });
});
