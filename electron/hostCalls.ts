import { basename } from 'node:path';
import {
  type BrowserWindow,
  dialog,
  type IpcMainInvokeEvent,
  ipcMain,
  MessageChannelMain,
  nativeTheme,
} from 'electron';
import { z } from 'zod';
import type { EngineHandle } from '../core/engine/client.ts';
import type { GivenFile } from '../core/protocol/files.ts';
import type { HostCalls, HostTheme } from '../core/protocol/host.ts';
import { ADDRESS_BASE, decodeLink, encodeLink, type Link, MAX_LINK } from '../core/protocol/link.ts';
import { pipe, portTransport } from '../core/protocol/transports.ts';
import type { Queue } from './queue.ts';
import { isAppPage } from './window.ts';
import type { Windows } from './windows.ts';

/** What the calls need of the running app. */
export interface HostCallContext {
  readonly windows: Windows;
  readonly engine: EngineHandle;
  readonly files: Queue<string>;
  /** null = one that could not be read. */
  readonly links: Queue<Link | null>;
}

type Handlers = {
  readonly [C in keyof HostCalls]: (
    params: unknown,
    event: IpcMainInvokeEvent,
    window: BrowserWindow,
  ) => Promise<HostCalls[C]['result']> | HostCalls[C]['result'];
};

const ConnectParams = z.object({ id: z.string().max(64) });
const SaveFileParams = z.object({ name: z.string().max(200) });
const DroppedParams = z.object({ path: z.string().min(1) });
const OpenWindowParams = z.object({ address: z.string().max(MAX_LINK) });
const ThemeParams = z.object({ theme: z.enum(['system', 'light', 'dark']) });
const OPEN_FILTERS = [
  { name: 'Transcripts', extensions: ['jsonl', 'ndjson', 'json', 'eval', 'traj', 'md', 'txt', 'log', 'gz'] },
  { name: 'All files', extensions: ['*'] },
];

/** Registers the handlers of the page's calls. Each refuses a sender that is not the app's own page. */
export function handleHostCalls(context: HostCallContext): void {
  const handlers: Handlers = {
    'host:connect': (params, event) => connect(context, ConnectParams.parse(params).id, event),
    'host:pickFiles': (_params, _event, window) => pickFiles(context, window),
    'host:pickFolder': (_params, _event, window) => pickFolder(context, window),
    'host:dropped': (params) => given(context, DroppedParams.parse(params).path),
    'host:saveFile': (params, _event, window) => saveFile(context, SaveFileParams.parse(params).name, window),
    'host:theme': (params) => setTheme(ThemeParams.parse(params).theme),
    'host:openWindow': (params) => openAnother(context, OpenWindowParams.parse(params).address),
    'host:takeLinks': () => context.links.take(),
    'host:initialFiles': () => context.files.take().map((path) => ({ ...given(context, path), name: path })),
  };
  for (const [channel, handler] of Object.entries(handlers)) {
    ipcMain.handle(channel, (event, params: unknown) => {
      const window = context.windows.of(event.sender);
      if (window === null || !isOwnPage(event, window)) {
        throw new Error(`${channel}: refused, the sender is not the app's page`);
      }
      return handler(params, event, window);
    });
  }
}

// Only the main frame of one of the app's windows, on the app's own origin, may call.
function isOwnPage(event: IpcMainInvokeEvent, window: BrowserWindow): boolean {
  const frame = event.senderFrame;
  return frame !== null && frame === window.webContents.mainFrame && isAppPage(frame.url);
}

function connect({ engine }: HostCallContext, id: string, event: IpcMainInvokeEvent): undefined {
  const { port1, port2 } = new MessageChannelMain();
  pipe(portTransport(port1), engine.connectPage());
  event.sender.postMessage('host:port', { id }, [port2]);
  return undefined;
}

// The address is read and written again: nothing of the page's text reaches the new window but a link.
function openAnother({ windows }: HostCallContext, address: string): undefined {
  const link = decodeLink(address);
  windows.open((link && encodeLink(link, ADDRESS_BASE)) ?? '');
  return undefined;
}

// The system draws the frame, the menu and its dialogs: they follow what is chosen for the page.
function setTheme(theme: HostTheme): undefined {
  nativeTheme.themeSource = theme;
  return undefined;
}

// The page learns the file's name; its path stays here, sealed in the handle.
function given({ engine }: HostCallContext, path: string): GivenFile {
  return { handle: engine.giveFile(path, 'read'), name: basename(path) };
}

async function pickFiles(context: HostCallContext, window: BrowserWindow): Promise<readonly GivenFile[]> {
  const answer = await dialog.showOpenDialog(window, {
    title: 'Import transcripts',
    properties: ['openFile', 'multiSelections'],
    filters: OPEN_FILTERS,
  });
  return answer.canceled ? [] : answer.filePaths.map((path) => given(context, path));
}

async function pickFolder(context: HostCallContext, window: BrowserWindow): Promise<GivenFile | null> {
  const answer = await dialog.showOpenDialog(window, { title: 'Choose a folder', properties: ['openDirectory'] });
  const [path] = answer.canceled ? [] : answer.filePaths;
  return path === undefined ? null : { ...given(context, path), name: path };
}

async function saveFile(context: HostCallContext, name: string, window: BrowserWindow): Promise<string | null> {
  const isBundle = name.endsWith('.parallax.json');
  const answer = await dialog.showSaveDialog(window, {
    title: isBundle ? 'Export bug report' : 'Save',
    defaultPath: basename(name),
    filters: [
      name.endsWith('.html')
        ? { name: 'Web page', extensions: ['html'] }
        : { name: isBundle ? 'Parallax bundle' : 'JSON', extensions: ['json'] },
    ],
  });
  return answer.canceled || answer.filePath === '' ? null : context.engine.giveFile(answer.filePath, 'write');
}
