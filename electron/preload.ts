import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import type { GivenFile } from '../core/protocol/files.ts';
import type { HostCalls, HostEvents, PreloadApi } from '../core/protocol/host.ts';

function call<C extends keyof HostCalls>(channel: C, params: HostCalls[C]['params']): Promise<HostCalls[C]['result']> {
  return ipcRenderer.invoke(channel, params);
}

function listen<C extends keyof HostEvents>(channel: C, callback: (event: HostEvents[C]) => void): () => void {
  const listener = (_event: IpcRendererEvent, payload: HostEvents[C]): void => callback(payload);
  ipcRenderer.on(channel, listener);
  return () => void ipcRenderer.removeListener(channel, listener);
}

// A MessagePort cannot cross the context bridge; a window message of the same page can carry it.
ipcRenderer.on('host:port', (event, payload: HostEvents['host:port']) => {
  window.postMessage({ parallax: 'port', id: payload.id }, window.location.origin, [...event.ports]);
});

// Only the browser can give a file a path: one that a script made has none.
async function dropped(file: File): Promise<GivenFile | null> {
  const path = webUtils.getPathForFile(file);
  return path === '' ? null : call('host:dropped', { path });
}

const api: PreloadApi = {
  platform: process.platform,
  connect: (id) => call('host:connect', { id }),
  pickFiles: () => call('host:pickFiles', {}),
  pickFolder: () => call('host:pickFolder', {}),
  saveFile: (name) => call('host:saveFile', { name }),
  setTheme: (theme) => call('host:theme', { theme }),
  initialFiles: () => call('host:initialFiles', {}),
  openWindow: (address) => call('host:openWindow', { address }),
  takeLinks: () => call('host:takeLinks', {}),
  dropped,
  onMenu: (callback) => listen('host:menu', (event) => callback(event.command)),
  onFiles: (callback) => listen('host:files', () => callback()),
  onLinks: (callback) => listen('host:links', () => callback()),
};

contextBridge.exposeInMainWorld('parallax', api);
