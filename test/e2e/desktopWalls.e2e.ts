// What a script that got into the desktop window's page could try: to send something out, and to reach files.
import { createSocket, type Socket } from 'node:dgram';
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tally } from '../security/tally.ts';
import { desktopMissing, launchDesktop, type RunningDesktop } from './support/launchDesktop.ts';
import { SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';

const missing = desktopMissing();
const title = `the walls of the desktop window${missing === null ? '' : ` (skipped: ${missing})`}`;

describe.skipIf(missing !== null)(title, () => {
  const attacks = tally('page of the desktop window');
  let app: RunningDesktop;
  let udp: Socket;
  let tcp: Server;
  const packets: string[] = [];
  let ports: { readonly udp: number; readonly tcp: number };

  beforeAll(async () => {
    udp = createSocket('udp4', () => packets.push('udp'));
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
    tcp = createServer((socket) => {
      packets.push('tcp');
      socket.on('error', () => {});
      socket.destroy();
    });
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
    const address = tcp.address();
    ports = { udp: udp.address().port, tcp: typeof address === 'object' ? (address?.port ?? 0) : 0 };
    app = await launchDesktop();
    await app.page.locator(SELECTORS.importButton).waitFor();
  });

  afterAll(async () => {
    await app?.close();
    udp?.close();
    await new Promise((resolve) => tcp?.close(resolve));
  });

  /** Has the page look for a way to a server; what arrived there meanwhile. */
  async function webRtc(): Promise<readonly string[]> {
    packets.length = 0;
    await app.page.evaluate(async ({ udp, tcp }) => {
      const login = { username: 'a', credential: 'b' };
      const iceServers = [
        { urls: `stun:127.0.0.1:${udp}` },
        { urls: `turn:127.0.0.1:${udp}?transport=udp`, ...login },
        { urls: `turn:127.0.0.1:${tcp}?transport=tcp`, ...login },
      ];
      const peer = new RTCPeerConnection({ iceServers });
      peer.createDataChannel('x');
      // All ways have been tried; where a server does not answer, that takes longer than its first packet.
      const tried = new Promise<void>((resolve) => {
        peer.addEventListener('icegatheringstatechange', () => peer.iceGatheringState === 'complete' && resolve());
      });
      await peer.setLocalDescription(await peer.createOffer());
      await Promise.race([tried, new Promise((resolve) => setTimeout(resolve, 3_000))]);
      peer.close();
    }, ports);
    return [...packets];
  }

  it('WebRTC sends nothing, over UDP or TCP', async () => {
    const arrived = await webRtc();
    attacks.tried(`STUN and TURN: ${arrived.join(', ')}`, arrived.length === 0);
  });

  it('(and would be seen: without the wall it arrives)', async () => {
    const policy = (to: 'default' | 'disable_non_proxied_udp') =>
      app.electron.evaluate(({ BrowserWindow }, wanted) => {
        BrowserWindow.getAllWindows()[0]?.webContents.setWebRTCIPHandlingPolicy(wanted);
      }, to);
    await policy('default');
    expect(await webRtc()).toContain('udp');
    await policy('disable_non_proxied_udp');
    expect(await webRtc()).toEqual([]);
  });

  it('no request leaves, of whatever kind', async () => {
    packets.length = 0;
    const got = await app.page.evaluate(async (port) => {
      const url = `http://127.0.0.1:${port}/`;
      const within = <T>(promise: Promise<T>): Promise<T | string> =>
        Promise.race([promise, new Promise<string>((resolve) => setTimeout(resolve, 1_500, ''))]);
      const load = (make: () => HTMLElement): Promise<string> =>
        new Promise((resolve) => {
          try {
            const element = make();
            element.addEventListener('load', () => resolve('loaded'));
            element.addEventListener('error', () => resolve(''));
            document.body.append(element);
          } catch {
            resolve('');
          }
        });
      const attempts: Record<string, () => Promise<unknown>> = {
        fetch: () => fetch(url).then(() => 'answered'),
        'no-cors': () => fetch(url, { mode: 'no-cors' }).then(() => 'answered'),
        beacon: async () => (navigator.sendBeacon(url, 'x') ? '' : ''),
        'event source': () =>
          new Promise((resolve) => {
            const source = new EventSource(url);
            source.onopen = () => resolve('open');
            source.onerror = () => resolve('');
          }),
        socket: () =>
          new Promise((resolve) => {
            const socket = new WebSocket(url.replace('http', 'ws'));
            socket.onopen = () => resolve('open');
            socket.onerror = () => resolve('');
          }),
        image: () => load(() => Object.assign(new Image(), { src: url })),
        style: () => load(() => Object.assign(document.createElement('link'), { rel: 'stylesheet', href: url })),
        prefetch: () => load(() => Object.assign(document.createElement('link'), { rel: 'prefetch', href: url })),
        preconnect: () => load(() => Object.assign(document.createElement('link'), { rel: 'preconnect', href: url })),
        frame: () => load(() => Object.assign(document.createElement('iframe'), { src: url })).then(() => ''),
        video: () => load(() => Object.assign(document.createElement('video'), { src: url })),
        object: () => load(() => Object.assign(document.createElement('object'), { data: url })).then(() => ''),
        'web transport': async () => {
          const Transport: unknown = Reflect.get(globalThis, 'WebTransport');
          if (typeof Transport !== 'function') return '';
          return Reflect.construct(Transport, [url.replace('http', 'https')]).ready.then(() => 'open');
        },
        'file:': () => fetch('file:///etc/passwd').then((answer) => answer.text()),
        'service worker': () => navigator.serviceWorker.register('/assets/x.js').then(() => 'registered'),
      };
      const results: Record<string, string> = {};
      for (const [name, attempt] of Object.entries(attempts)) {
        try {
          results[name] = String(await within(Promise.resolve(attempt())));
        } catch {
          results[name] = '';
        }
      }
      return results;
    }, ports.tcp);
    for (const [name, result] of Object.entries(got)) attacks.tried(`${name}: ${result}`, result === '');
    attacks.tried('anything at the server', packets.length === 0);
  });

  it('the bridge gives no path, and the main process makes no handle of one', async () => {
    const got = await app.page.evaluate(async () => {
      const bridge = window.parallax;
      const results: Record<string, string> = {
        keys: Object.keys(bridge ?? {})
          .filter((key) => /path/i.test(key))
          .join(),
      };
      const made = [new File(['x'], '/etc/passwd'), new File([], ''), new File(['x'], '../../etc/passwd')];
      for (const [at, file] of made.entries()) results[`file ${at}`] = String((await bridge?.dropped(file)) ?? '');
      const fakes: unknown[] = [{ path: '/etc/passwd' }, '/etc/passwd', null, [], { name: '/etc/passwd', size: 1 }];
      for (const [at, fake] of fakes.entries()) {
        results[`fake ${at}`] = await Promise.resolve()
          .then(() => Reflect.apply(bridge?.dropped ?? (() => null), bridge, [fake]))
          .then((given: unknown) => (given === null || given === undefined ? '' : JSON.stringify(given)))
          .catch(() => '');
      }
      results.node = ['require', 'process', 'Buffer', 'module', 'global'].filter((name) => name in globalThis).join();
      return results;
    });
    for (const [name, result] of Object.entries(got)) attacks.tried(`${name}: ${result}`, result === '');
  });

  it('comes back from an empty page', async () => {
    await app.page.evaluate(() => location.assign('about:blank'));
    const url = () =>
      app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getURL());
    // Beside its address a link to where one is, which may be empty yet.
    await expect.poll(url, SOON).toMatch(/^parallax:\/\/app\/#?$/);
    const isThere = () =>
      app.electron.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
          'document.querySelector("#root > *") !== null && typeof window.parallax',
        ),
      );
    await expect.poll(isThere, SOON).toBe('object');
    attacks.tried('about:blank', true);
  });
});
