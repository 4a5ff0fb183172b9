import { join } from 'node:path';
import { app, BrowserWindow, nativeTheme, type Rectangle, type Session } from 'electron';
import { APP_ORIGIN } from '../core/protocol/host.ts';
import { readWindowState, rememberWindow } from './windowState.ts';

/** The discard port, and no way around it, not even to this machine. */
const NOWHERE = 'socks5://127.0.0.1:9';

/** A further window lies a little to the right of and below the one it was asked for in, so that both are seen. */
const ASIDE_PX = 28;

/**
 * Opens a window at an address of the page (`#/open/…`, or none): isolated, sandboxed, without Node, and unable to leave the
 * app's own page.
 */
export function openWindow(address: string, beside: BrowserWindow | null): BrowserWindow {
  const state = readWindowState();
  const window = new BrowserWindow({
    ...(beside === null ? state.bounds : asideOf(beside)),
    minWidth: 720,
    minHeight: 480,
    show: false,
    title: 'Parallax',
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#0f1115' : '#ffffff', // --bg
    // Everything in it is in the palette too, and a system's bar over a dark page is a foreign body. Alt shows it.
    autoHideMenuBar: true,
    webPreferences: {
      preload: join(import.meta.dirname, 'preload.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  });
  if (state.maximized && beside === null) window.maximize();
  rememberWindow(window);
  // about:blank is gone to without asking: back from there.
  window.webContents.on('did-navigate', (_event, url) => {
    if (!isAppPage(url)) void window.loadURL(`${APP_ORIGIN}/`);
  });
  window.once('ready-to-show', () => window.show());
  void window.loadURL(`${APP_ORIGIN}/${address}`);
  return window;
}

function asideOf(window: BrowserWindow): Rectangle {
  const { x, y, width, height } = window.getNormalBounds();
  return { x: x + ASIDE_PX, y: y + ASIDE_PX, width, height };
}

/** Refuses, for every page there will ever be: leaving the app, new windows, embedded views. */
export function lockDownContents(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    // Not a request, so nothing else stops it; what it may do over TCP ends at the session's proxy.
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.on('will-navigate', (event) => {
      if (!isAppPage(event.url)) event.preventDefault();
    });
    contents.on('will-redirect', (event) => {
      if (!isAppPage(event.url)) event.preventDefault();
    });
  });
}

/** Refuses every permission but writing to the clipboard, and every request that leaves the app. */
export function lockDownSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => {
    answer(permission === 'clipboard-sanitized-write');
  });
  session.setPermissionCheckHandler((_contents, permission) => permission === 'clipboard-sanitized-write');
  session.webRequest.onBeforeRequest((details, answer) => {
    answer({ cancel: !/^(parallax|devtools|blob|data):/.test(details.url) });
  });
  // Whatever goes past all that is sent to a port on which nobody listens.
  void session.setProxy({ mode: 'fixed_servers', proxyRules: NOWHERE, proxyBypassRules: '<-loopback>' });
}

/** True for an address of the app's own page. A custom scheme has no origin in the URL standard, so the text is compared. */
export function isAppPage(url: string): boolean {
  return url === APP_ORIGIN || url.startsWith(`${APP_ORIGIN}/`);
}
