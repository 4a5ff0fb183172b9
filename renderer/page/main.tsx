// The page that `parallax export --html` writes: the app's own panes, chart and answers over what is in the file.
import '../theme/tokens.css';
import '../theme/base.css';
import '../ui/controls.css';
import '../ui/finding.css';
import '../ui/menu.css';
import '../theme/forced.css';
import './page.css';
import { createRoot } from 'react-dom/client';
import type { PageHead } from '../../core/page/types.ts';
import { StartFailure } from '../app/StartFailure.tsx';
import { type App, createApp } from '../state/app.ts';
import { AppContext } from '../state/context.tsx';
import { FailureBoundary } from '../ui/FailureBoundary.tsx';
import { keepAttributesSeen } from '../ui/seenAttributes.ts';
import { PAGE_COMMANDS } from './commands.ts';
import { PageApp } from './PageApp.tsx';
import { pageEngine } from './pageEngine.ts';
import { Pieces } from './pieces.ts';

async function main(): Promise<void> {
  const pieces = new Pieces();
  const head = await pieces.read<PageHead>('head');
  const app = readOnly(createApp(pageEngine(head, pieces)), head);
  root.render(
    <AppContext value={{ app, host: null, commands: PAGE_COMMANDS }}>
      <FailureBoundary what="The page">
        <PageApp about={head.about} />
      </FailureBoundary>
    </AppContext>,
  );
  await app.actions.open(head.info.id);
}

/** The page holds one request: a place on the chart leads to the messages there. */
function readOnly(app: App, { about, described }: PageHead): App {
  const { ui } = app.store.getState();
  app.store.setState({
    describe: { ...described, models: [] },
    ui: { ...ui, libraryOpen: false, policyOpen: false, drawerSide: 'right' },
  });
  const goTo = (at: number | null) => void app.actions.goToMessage(Math.max(0, Math.min(at ?? about.at, about.at - 1)));
  const step = async (delta: number) => {
    const { selection } = app.store.getState();
    const points = app.store.getState().series.series?.points ?? [];
    const here = selection?.kind === 'message' ? selection.index : about.at;
    const next = delta > 0 ? points.find(({ at }) => at > here) : points.findLast(({ at }) => at < here);
    if (next !== undefined) goTo(next.at);
  };
  return { ...app, actions: { ...app.actions, setAt: goTo, step, goToEnd: () => goTo(null) } };
}

keepAttributesSeen(document);
const element = document.getElementById('root');
if (!element) throw new Error('no #root in the page');
const root = createRoot(element);
main().catch((thrown: unknown) => root.render(<StartFailure thrown={thrown} />));
