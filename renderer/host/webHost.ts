// The host of a page served on 127.0.0.1.

import { type GivenFile, MAX_UPLOAD_BYTES } from '../../core/protocol/files.ts';
import { type Transport, webSocketTransport } from '../../core/protocol/transports.ts';
import type { HostBridge } from './types.ts';
import { askTicket, isGivenFile, openSession, sessionHeader, takeToken, type WebSession } from './webSession.ts';

/** The host of the loopback web page. */
export function webHost(): HostBridge {
  const token = takeToken();
  let session: Promise<WebSession> | null = null;
  const ready = (): Promise<WebSession> => {
    session ??= openSession(token);
    session.catch(() => {
      session = null;
    });
    return session;
  };
  let isNoted = false;
  return {
    kind: 'web',
    platform: platformOf(navigator.userAgent),
    async connect(): Promise<Transport> {
      const { secret } = await ready();
      return connectSocket(await askTicket(secret, null));
    },
    pickFiles: async () => uploadAll(await ready(), await chooseFiles()),
    fromDrop: (data) => uploadDropped(ready, data),
    // The engine names the file, and the server sends it under that name.
    async saveExport(make) {
      const { secret } = await ready();
      const { path } = await make(null);
      const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
      download(name, await askTicket(secret, name));
      return name;
    },
    openWindow: (address) => void window.open(`${location.pathname}${address}`),
    async initialFiles() {
      const { files, given } = await ready();
      const arrived = isNoted ? [] : files;
      isNoted = true;
      return { arrived, given };
    },
    onMenu: () => () => {},
    onFiles: () => () => {},
    // A browser has its own address for links.
    takeLinks: () => Promise.resolve([]),
    onLinks: () => () => {},
  };
}

// The transport must get its listeners in the task it was made in, so it is made once the socket is open.
function connectSocket(ticket: string): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://${location.host}/engine?ticket=${ticket}`);
    socket.addEventListener('open', () => resolve(webSocketTransport(socket)), { once: true });
    const failed = (): void => reject(new Error('The web host does not answer. Is it still running in the terminal?'));
    socket.addEventListener('error', failed, { once: true });
  });
}

function platformOf(userAgent: string): HostBridge['platform'] {
  if (/Mac OS X|Macintosh/.test(userAgent)) return 'darwin';
  return /Windows/.test(userAgent) ? 'win32' : 'linux';
}

function chooseFiles(): Promise<readonly File[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.hidden = true;
  document.body.append(input);
  return new Promise((resolve) => {
    const done = (files: readonly File[]): void => {
      input.remove();
      resolve(files);
    };
    input.addEventListener('change', () => done([...(input.files ?? [])]), { once: true });
    input.addEventListener('cancel', () => done([]), { once: true });
    input.click();
  });
}

async function uploadAll({ secret }: WebSession, files: readonly File[]): Promise<readonly GivenFile[]> {
  const given: GivenFile[] = [];
  for (const file of files) given.push(await upload(secret, file));
  return given;
}

// A dropped folder comes as a file that cannot be read; only its entry shows it, and only while the drop is handled.
async function uploadDropped(ready: () => Promise<WebSession>, data: DataTransfer): Promise<readonly GivenFile[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry());
  const files = [...data.files];
  const folder = entries.find((entry) => entry?.isDirectory);
  if (folder) {
    const text = `${folder.name} is a folder, and a browser does not say where it is. Drop the files in it, or start Parallax with the folder’s path.`;
    throw new Error(text);
  }
  return uploadAll(await ready(), files);
}

async function upload(secret: string, file: File): Promise<GivenFile> {
  if (file.size > MAX_UPLOAD_BYTES) {
    throw new Error(`${file.name} is larger than 4 GB. Start Parallax with its path instead of uploading it.`);
  }
  const target = `/upload?name=${encodeURIComponent(file.name)}`;
  const request = { method: 'POST', headers: sessionHeader(secret), body: file };
  const answer = await fetch(target, request).catch((error: unknown) => {
    throw new Error(`${file.name} could not be read, or the web host does not answer (${String(error)}).`);
  });
  if (!answer.ok)
    throw new Error(`${file.name} could not be uploaded: ${(await answer.text()).trim()} (${answer.status}).`);
  const given: unknown = await answer.json();
  if (!isGivenFile(given)) throw new Error(`${file.name} could not be uploaded (${answer.status}).`);
  return { handle: given.handle, name: file.name };
}

function download(name: string, ticket: string): void {
  const link = document.createElement('a');
  link.href = `/download/${encodeURIComponent(name)}?ticket=${ticket}`;
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}
