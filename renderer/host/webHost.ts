// The host of a page served on 127.0.0.1. The launch token comes in the address's fragment, is exchanged for a cookie
// that scripts cannot read, and leaves the address bar.
import { type Transport, webSocketTransport } from '../../core/protocol/channel.ts';
import type { HostBridge, ImportInput } from './types.ts';

interface Session {
  readonly files: readonly string[];
}

/** The host of the loopback web page. */
export function webHost(): HostBridge {
  const token = takeToken();
  let session: Promise<Session> | null = null;
  const ready = (): Promise<Session> => {
    session ??= openSession(token);
    session.catch(() => {
      session = null;
    });
    return session;
  };
  let filesGiven = false;
  return {
    kind: 'web',
    platform: platformOf(navigator.userAgent),
    async connect(): Promise<Transport> {
      await ready();
      return connectSocket();
    },
    pickFiles: async () => uploadAll(await chooseFiles()),
    fromDrop: (data) => uploadDropped(data),
    // The engine names the file, and the server sends it under that name.
    async saveExport(make) {
      const { path } = await make(null);
      const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
      download(name);
      return name;
    },
    async initialFiles() {
      if (filesGiven) return [];
      const { files } = await ready();
      filesGiven = true;
      return files;
    },
    onMenu: () => () => {},
    onFiles: () => () => {},
  };
}

function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) history.replaceState(null, '', location.pathname);
  return token;
}

async function openSession(token: string | null): Promise<Session> {
  const headers = token === null ? undefined : { 'X-Parallax-Token': token };
  const answer = await fetch('/session', { method: 'POST', ...(headers === undefined ? {} : { headers }) });
  if (answer.status === 401) {
    throw new Error('This page belongs to an earlier start of Parallax. Open the address that the terminal shows now.');
  }
  if (!answer.ok) throw new Error(`The web host refused the session (${answer.status}).`);
  return { files: stringsIn(await answer.json(), 'files') };
}

function stringsIn(value: unknown, key: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const found: unknown = Reflect.get(value, key);
  return Array.isArray(found) ? found.filter((item) => typeof item === 'string') : [];
}

// The transport must get its listeners in the task it was made in, so it is made once the socket is open.
function connectSocket(): Promise<Transport> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://${location.host}/engine`);
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

async function uploadAll(files: readonly File[]): Promise<readonly ImportInput[]> {
  const inputs: ImportInput[] = [];
  for (const file of files) inputs.push(await upload(file));
  return inputs;
}

// A dropped folder comes as a file that cannot be read; only its entry tells, and only while the drop is handled.
function uploadDropped(data: DataTransfer): Promise<readonly ImportInput[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry());
  const folder = entries.find((entry) => entry?.isDirectory);
  if (folder) {
    const text = `${folder.name} is a folder, and a browser does not say where it is. Give its path under “Folders”.`;
    return Promise.reject(new Error(text));
  }
  return uploadAll([...data.files]);
}

async function upload(file: File): Promise<ImportInput> {
  const target = `/upload?name=${encodeURIComponent(file.name)}`;
  const answer = await fetch(target, { method: 'POST', body: file }).catch((error: unknown) => {
    throw new Error(`${file.name} could not be read, or the web host does not answer (${String(error)}).`);
  });
  const value: unknown = answer.ok ? await answer.json() : null;
  const path = typeof value === 'object' && value !== null && 'path' in value ? value.path : null;
  if (typeof path !== 'string') throw new Error(`${file.name} could not be uploaded (${answer.status}).`);
  return { path, name: file.name };
}

function download(name: string): void {
  const link = document.createElement('a');
  link.href = `/download/${encodeURIComponent(name)}`;
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
}
