import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './theme/tokens.css';
import './theme/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { connectEngine } from './app/connectEngine.ts';
import { createApp } from './state/app.ts';
import { AppContext } from './state/context.tsx';

async function main(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('no #root in the page');
  const query = new URLSearchParams(location.search);
  if (import.meta.env.DEV && query.has('gallery')) {
    const { showGallery } = await import('./dev/gallery.tsx');
    return showGallery(createRoot(root));
  }
  const { engine, host } = await connectEngine(query);
  const app = createApp(engine);
  createRoot(root).render(
    <AppContext value={{ app, host }}>
      <App />
    </AppContext>,
  );
  await app.actions.start();
}

void main();
