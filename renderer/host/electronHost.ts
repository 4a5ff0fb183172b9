import type { PreloadApi } from '../../core/protocol/host.ts';
import { portTransport, type Transport } from '../../core/protocol/transports.ts';
import type { HostBridge } from './types.ts';

declare global {
  interface Window {
    /** Left by the desktop window's preload; absent in a browser. */
    readonly parallax?: PreloadApi;
  }
}

/** The host of the desktop window, over what its preload offers. */
export function electronHost(api: PreloadApi): HostBridge {
  return {
    kind: 'electron',
    platform: api.platform === 'darwin' || api.platform === 'win32' ? api.platform : 'linux',
    connect: () => connect(api),
    pickFolder: () => api.pickFolder(),
    pickFiles: () => api.pickFiles(),
    fromDrop: async (data) => {
      const given = await Promise.all([...data.files].map((file) => api.dropped(file)));
      return given.filter((file) => file !== null);
    },
    fileOf: (file) => api.dropped(file),
    async saveExport(make, suggestedName) {
      const handle = await api.saveFile(suggestedName);
      return handle === null ? null : (await make(handle)).path;
    },
    setTheme: (theme) => void api.setTheme(theme),
    openWindow: (address) => void api.openWindow(address),
    async initialFiles() {
      const arrived = await api.initialFiles();
      return { arrived, given: arrived };
    },
    onMenu: (callback) => api.onMenu(callback),
    onFiles: (callback) => api.onFiles(callback),
    takeLinks: () => api.takeLinks(),
    onLinks: (callback) => api.onLinks(callback),
  };
}

// The port arrives as a message of this window to itself, sent by the preload.
function connect(api: PreloadApi): Promise<Transport> {
  const id = crypto.randomUUID();
  return new Promise((resolve, reject) => {
    const listener = (event: MessageEvent<unknown>): void => {
      const port = event.ports[0];
      if (event.source !== window || port === undefined || !isPortMessage(event.data, id)) return;
      window.removeEventListener('message', listener);
      resolve(portTransport(port));
    };
    window.addEventListener('message', listener);
    api.connect(id).catch((error: unknown) => {
      window.removeEventListener('message', listener);
      reject(error instanceof Error ? error : new Error(String(error)));
    });
  });
}

function isPortMessage(data: unknown, id: string): boolean {
  return typeof data === 'object' && data !== null && 'parallax' in data && 'id' in data && data.id === id;
}
