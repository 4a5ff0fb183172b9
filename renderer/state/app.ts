// The program behind the screen, free of React: one store, groups of actions over it, and the engine's events. Data
// goes one way: action → engine → store → screen.
import { createStore, type StoreApi } from 'zustand/vanilla';
import { type CheckActions, checkActions } from './checkActions.ts';
import { type Choices, keepChoices } from './choices.ts';
import { type CompareActions, compareActions } from './compareActions.ts';
import { type Core, debounce, patch, soon, toast, type Viewport } from './core.ts';
import { type EngineClient, toProtocolError } from './engine.ts';
import { type FilterActions, filterActions } from './filterActions.ts';
import { type FindActions, findActions } from './findActions.ts';
import { INITIAL_STATE } from './initial.ts';
import { type KeepActions, keepActions } from './keepActions.ts';
import { type LibraryActions, libraryActions } from './libraryActions.ts';
import { type MoveActions, moveActions } from './moveActions.ts';
import {
  LIBRARY_KEY,
  readLibrary,
  readSession,
  readUi,
  SESSION_KEY,
  savedLibrary,
  savedSession,
  savedUi,
  toSelection,
  UI_KEY,
} from './persist.ts';
import type { Place } from './places.ts';
import { type PolicyActions, policyActions } from './policyActions.ts';
import { type ProjectionActions, projectionActions } from './projectionActions.ts';
import { type RelativeActions, relativeActions } from './relativeActions.ts';
import { type ScreenState, screenState } from './screenState.ts';
import { type SearchActions, searchActions } from './searchActions.ts';
import { type SelectionActions, selectionActions } from './selectionActions.ts';
import { seriesActions } from './seriesActions.ts';
import { type SourceActions, sourceActions } from './sourceActions.ts';
import { type TextLane, textLane } from './textLane.ts';
import { type TimelineActions, timelineActions } from './timelineActions.ts';
import { type TrailActions, trailActions } from './trailActions.ts';
import type { AppState, Toast } from './types.ts';
import { type UiActions, uiActions } from './uiActions.ts';
import { type WatchActions, watchActions } from './watchActions.ts';
import { type WorkActions, workActions } from './workActions.ts';

export interface Actions
  extends UiActions,
    Omit<LibraryActions, 'receiveJob' | 'receiveTranscript' | 'awaitImport'>,
    SourceActions,
    ProjectionActions,
    PolicyActions,
    SelectionActions,
    RelativeActions,
    KeepActions,
    SearchActions,
    FindActions,
    FilterActions,
    TrailActions,
    WatchActions,
    TimelineActions,
    CompareActions,
    CheckActions,
    WorkActions,
    MoveActions {
  /** Loads library, descriptions and the last session; opens the transcript that was open, or goes to `place`. */
  start(place?: Place | null): Promise<void>;
  toast(message: Omit<Toast, 'id'>): number;
}

/** Store, actions and engine in one hand. `stop` ends listening and saving. */
export interface App {
  readonly store: StoreApi<AppState>;
  /** The state as components draw it. */
  readonly screen: ScreenState;
  readonly actions: Actions;
  readonly engine: EngineClient;
  /** Where texts are followed through the requests. */
  readonly texts: TextLane;
  readonly viewport: Viewport;
  /** Writes at once what is to survive: the window is about to go. */
  flush(): void;
  stop(): void;
}

const SAVE_MS = 400;
/** The first seconds are those of whoever looks for a transcript and opens it; then the library is looked through. */
const CALM_MS = 3000;
/** What belongs to the open transcript is asked for again so often at most, while others are imported or counted. */
const RELATIVES_MS = 2000;

export function createApp(engine: EngineClient): App {
  const store = createStore<AppState>(() => INITIAL_STATE);
  const sight = { topRow: 0, topOffset: 0, from: 0, to: 40, atTop: true, atEnd: false, height: 480 };
  const viewport: Viewport = { ...sight, look: () => undefined };
  const screen = screenState(store);
  const core: Core = {
    store,
    screen,
    engine,
    viewport,
    landing: 'keep',
    unread: null,
    accounted: 0,
    visit: 0,
    scrolls: 0,
  };
  const series = seriesActions(core);
  const projection = projectionActions(core, series.restart);
  const policies = policyActions(core, projection);
  const choices = keepChoices(core);
  const next = {
    reproject: projection.reproject,
    clearSeries: series.clear,
    loadRelatives: () => void relatives.loadRelatives(),
  };
  const library = libraryActions(core, next, { choices });
  const relatives = relativeActions(core, library);
  const selection = selectionActions(core, projection);
  const search = searchActions(core, {
    open: library.open,
    goToMessage: selection.goToMessage,
    showAll: () => showAll(core, projection.setLayout),
  });
  const texts = textLane(engine);
  const find = findActions(core, texts, {
    goToMessage: selection.goToMessage,
    setAt: projection.setAt,
    endSearch: search.endSearch,
  });
  const trail = trailActions(core, selection.goToMessage);
  const filter = filterActions(core, projection.refilter);
  const timeline = timelineActions(core);
  const sources = sourceActions(core, library);
  const keep = keepActions(core, library);
  const ui = uiActions(core);
  const { setMode } = ui;
  const { open, close } = library;
  const { setAt, setPolicy } = projection;
  const { goToMessage, clearSelection } = selection;
  const moves = moveActions(core, { open, close, setAt, setPolicy, goToMessage, clearSelection, setMode });
  const watch = watchActions(core);
  const work = workActions(core);
  const actions: Actions = {
    ...ui,
    ...sources,
    ...library,
    ...projection,
    ...policies,
    ...selection,
    ...relatives,
    ...keep,
    ...watch,
    ...search,
    ...find,
    ...filter,
    ...trail,
    ...timeline,
    ...compareActions(core, projection),
    ...checkActions(core),
    setWork: work.setWork,
    ...moves,
    toast: (message) => toast(core, message),
    start: (place = null) => {
      void sources.loadSources();
      void keep.loadTags();
      void policies.loadPolicies();
      void filter.loadColors();
      clearTimeout(looking);
      looking = setTimeout(() => lookThrough(engine), CALM_MS);
      return start(core, library, place === null ? null : () => moves.goToPlace(place));
    },
  };
  let looking: ReturnType<typeof setTimeout> | undefined;
  const refreshSoon = soon(() => {
    void library.refresh();
    search.refreshSearch();
  }, 150);
  const tagsSoon = soon(() => void keep.loadTags(), 150);
  const relativesSoon = soon(() => void relatives.loadRelatives(), RELATIVES_MS);
  const saving = keepSaving(core, choices);
  const stops = [
    engine.on('job', (job) => {
      const known = store.getState().jobs[job.jobId]?.transcriptIds.length ?? 0;
      library.receiveJob(job);
      if (job.transcriptIds.length > known) refreshSoon();
    }),
    engine.on('library', () => {
      refreshSoon();
      tagsSoon();
      relativesSoon();
    }),
    engine.on('summaries', ({ id }) => {
      if (store.getState().session.id === id) projection.reproject();
    }),
    engine.on('marks', ({ id }) => keep.receiveMarks(id)),
    engine.on('watchpoints', ({ id }) => watch.receiveWatchpoints(id)),
    engine.on('transcript', library.receiveTranscript),
    engine.on('series', series.receive),
    engine.on('tune', work.receiveSweep),
    engine.on('follow', ({ follows }) => sources.receiveFollows(follows)),
    store.subscribe((now, before) => {
      if (now.session.id === before.session.id) return;
      void keep.loadMarks();
      void watch.loadWatchpoints();
    }),
    find.stop,
    filter.stop,
    trail.stop,
    timeline.stop,
    choices.stop,
    saving.stop,
    () => clearTimeout(looking),
  ];
  return {
    store,
    screen,
    actions,
    engine,
    texts,
    viewport,
    flush: saving.flush,
    stop() {
      for (const stop of stops) stop();
    },
  };
}

/** What a search found is to be seen: beside what the model sees, and in the drawer. */
function showAll(core: Core, setLayout: ProjectionActions['setLayout']): void {
  const { ui } = core.store.getState();
  if (ui.layout === 'model') setLayout('side');
  if (ui.drawerTab !== 'rendered') patch(core, 'ui', { drawerTab: 'rendered' });
}

/** What the person did while it was read stands: only what is as it was at first is taken from the last session. */
async function start(core: Core, library: LibraryActions, goToPlace: (() => Promise<void>) | null): Promise<void> {
  const first = core.store.getState();
  const opening = library.opensLater();
  try {
    const [{ values }, describe] = await Promise.all([
      core.engine.call('settings.get', {}),
      core.engine.call('spec.describe', {}),
      library.refresh(),
    ]);
    core.store.setState(({ ui }) => ({ describe, ui: { ...readUi(values[UI_KEY], ui), ...changes(first.ui, ui) } }));
    const { view, facets } = core.store.getState().library;
    const chosen = changes({ view: first.library.view, facets: first.library.facets }, { view, facets });
    patch(core, 'library', { ...readLibrary(values[LIBRARY_KEY]), ...chosen });
    if (goToPlace !== null) return await goToPlace();
    const session = readSession(values[SESSION_KEY]);
    if (!session) return;
    const known = core.store.getState().library.transcripts?.some((one) => one.id === session.id);
    if (session.id !== null && known) {
      await opening.open(session.id, { at: session.at, selection: toSelection(session.selection) });
    }
  } catch (thrown) {
    const error = toProtocolError(thrown);
    toast(core, { tone: 'error', text: 'The last session could not be restored.', detail: error.message });
  }
}

function lookThrough(engine: EngineClient): void {
  void engine.call('survey.start', {}).catch(() => {
    // What cannot be written to is not looked through; the list says so.
  });
}

/** The fields that are not any more what they were. */
function changes<T extends object>(before: T, now: T): Partial<T> {
  const isChanged = (key: string) => Reflect.get(now, key) !== Reflect.get(before, key);
  return Object.fromEntries(Object.entries(now).filter(([key]) => isChanged(key))) as Partial<T>;
}

/** Writes what must survive a restart, a little after it changed. */
function keepSaving(core: Core, choices: Choices): { stop(): void; flush(): void } {
  /** Keys that wait, and writes that are on their way. */
  const waiting = new Set<string>();
  let writing = 0;
  const update = () => {
    const unsaved = waiting.size > 0 || writing > 0;
    if (core.store.getState().unsaved !== unsaved) core.store.setState({ unsaved });
  };
  const write = async (key: string, run: () => Promise<unknown>) => {
    waiting.delete(key);
    // The status line says so all the time.
    if (core.store.getState().unwritable !== null) return update();
    writing++;
    try {
      await run();
    } catch (thrown) {
      toast(core, { tone: 'error', text: 'Settings are not being saved.', detail: toProtocolError(thrown).message });
    } finally {
      writing--;
      update();
    }
  };
  const save = (key: string, run: () => Promise<unknown>) => {
    const later = debounce(() => void write(key, run), SAVE_MS);
    const soonWritten = () => {
      waiting.add(key);
      update();
      later();
    };
    return Object.assign(soonWritten, { cancel: later.cancel, flush: later.flush });
  };
  const setting = (key: string, value: () => unknown) =>
    save(key, () => core.engine.call('settings.set', { key, value: value() }));
  const saveUi = setting(UI_KEY, () => savedUi(core.store.getState().ui));
  const saveSession = setting(SESSION_KEY, () => savedSession(core.store.getState()));
  const saveLibrary = setting(LIBRARY_KEY, () => savedLibrary(core.store.getState().library));
  const saveChoice = save('choice', choices.write);
  const stop = core.store.subscribe((now, before) => {
    if (now.ui !== before.ui) saveUi();
    const { view, facets } = before.library;
    if (now.library.view !== view || now.library.facets !== facets) saveLibrary();
    const moved = now.session.id !== before.session.id || now.selection !== before.selection;
    if (moved || now.projection.at !== before.projection.at) saveSession();
    const { spec, chosen, window, tokenizer } = before.projection;
    const own = now.projection.chosen !== chosen;
    const counted = own || now.projection.window !== window || now.projection.tokenizer !== tokenizer;
    if (counted || now.projection.spec !== spec) saveChoice();
  });
  const all = [saveUi, saveSession, saveLibrary, saveChoice];
  return {
    stop() {
      stop();
      for (const one of all) one.cancel();
    },
    flush() {
      for (const one of all) one.flush();
    },
  };
}
