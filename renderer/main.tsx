import './trustedTypes.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './theme/tokens.css';
import './theme/base.css';
import './ui/controls.css';
import './ui/finding.css';
import './ui/menu.css';
import './theme/forced.css';
import type { ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { App } from './app/App.tsx';
import { connectEngine } from './app/connectEngine.ts';
import { COMMANDS } from './app/features.ts';
import { StartFailure } from './app/StartFailure.tsx';
import type { HostBridge } from './host/index.ts';
import { keepPlaces, placeInAddress } from './moving/keepPlaces.ts';
import { type App as AppState, createApp } from './state/app.ts';
import { AppContext } from './state/context.tsx';
import { toProtocolError } from './state/engine.ts';
import { FailureBoundary } from './ui/FailureBoundary.tsx';
import { loadAhead } from './ui/lazily.tsx';
import { keepAttributesSeen } from './ui/seenAttributes.ts';

/** After the start, for the code of dialogs and tabs. */
const AHEAD_MS = 1500;

async function main(root: Root): Promise<void> {
  const query = new URLSearchParams(location.search);
  if (import.meta.env.DEV && query.has('gallery')) {
    const { showGallery } = await import('./dev/gallery.tsx');
    return showGallery(root);
  }
  const { engine, host, onLost } = await connectEngine(query);
  const app = createApp(engine);
  window.addEventListener('pagehide', () => app.flush());
  onLost(() => app.store.setState({ disconnected: 'The connection was lost.' }));
  root.render(
    <AppContext value={{ app, host, commands: COMMANDS }}>
      <FailureBoundary what="The window" around={inTheMiddle}>
        <App />
      </FailureBoundary>
    </AppContext>,
  );
  const [opened] = await Promise.all([openedLibrary(root, app), app.actions.start(placeInAddress(window))]);
  if (!opened) return app.stop();
  // The window is there by now: what fails from here on is said in it.
  keepPlaces(app, window, host?.kind === 'electron');
  if (host) void importArrived(app, host);
  if (host) void followLinks(app, host);
  // What the first screen went without comes while the person looks at it, so that nothing opens late.
  setTimeout(() => void loadAhead(), AHEAD_MS);
}

/** Whether the engine has opened the library; if not, the page says why, and no more. */
async function openedLibrary(root: Root, app: AppState): Promise<boolean> {
  try {
    const { unwritable } = await app.engine.call('engine.info', {});
    app.store.setState({ unwritable });
  } catch (thrown) {
    // The window reports a line that broke.
    if (!toProtocolError(thrown).expected) return true;
    root.render(<StartFailure thrown={thrown} />);
    return false;
  }
  return true;
}

function inTheMiddle(box: ReactNode): ReactNode {
  return (
    <main className="lost">
      <div className="lost-box">{box}</div>
    </main>
  );
}

/** Files named on the command line, and those that arrive later. */
async function importArrived(app: AppState, host: HostBridge): Promise<void> {
  const take = async () => {
    const { arrived, given } = await host.initialFiles();
    app.actions.takeGiven(given);
    await app.actions.importPaths(arrived.map(({ handle }) => handle));
  };
  host.onFiles(() => void take());
  await take();
}

/** The link that the program was started with, and those that arrive later. */
async function followLinks(app: AppState, host: HostBridge): Promise<void> {
  const take = async () => {
    for (const link of await host.takeLinks()) await app.actions.openLink(link);
  };
  host.onLinks(() => void take());
  await take();
}

keepAttributesSeen(document);
const element = document.getElementById('root');
if (!element) throw new Error('no #root in the page');
const root = createRoot(element);
main(root).catch((thrown: unknown) => root.render(<StartFailure thrown={thrown} />));
