import { defaultSpec } from '../../core/projection/presets.ts';
import type { GivenFile } from '../../core/protocol/files.ts';
import type { Events } from '../../core/protocol/methods.ts';
import type { FolderReport, JobInfo, LibraryChange, TranscriptInfo } from '../../core/protocol/types.ts';
import { formatCount, plural } from '../ui/format.ts';
import { baseName } from '../ui/problemPlace.ts';
import type { Choices } from './choices.ts';
import { type Core, type LandingRow, patch, toast } from './core.ts';
import { keepThinking } from './editBudget.ts';
import { toProtocolError } from './engine.ts';
import { filterFor } from './filterActions.ts';
import { NO_PROJECTION, NO_SESSION } from './initial.ts';
import { oneByOne } from './inOrder.ts';
import { canBeMapped, describeMisread, MAP_FIELDS } from './mappable.ts';
import { rowAt } from './rowPages.ts';
import { noteGrowth } from './tail.ts';
import type { AppState, ImportReport, Selection } from './types.ts';

/** Where to open a transcript: a call point and a selection. */
export interface OpenAt {
  readonly at: number | null;
  readonly selection: Selection | null;
  /** Puts a row at a distance from the top of the list, in px; else the selection is brought into sight. */
  readonly stand?: LandingRow;
  /** Folded runs that were opened, as source spans. */
  readonly unfold?: readonly { readonly from: number; readonly to: number }[];
}

export interface LibraryActions {
  refresh(): Promise<void>;
  setFilter(filter: string): void;
  open(id: string, where?: OpenAt): Promise<void>;
  /** A transcript that is to be opened as soon as it is there, unless another is opened or asked for meanwhile. */
  opensLater(): Opening;
  /** Where a transcript was left, if it was open before. */
  placeOf(id: string): OpenAt | null;
  close(): void;
  /** Imports files by path; opens the first transcript as soon as it has rows, or offers it where another is open. */
  importPaths(paths: readonly string[]): Promise<void>;
  /** Imports a file and opens its first transcript, whatever is open: somebody asked to see it. */
  openFile(path: string): Promise<void>;
  /** Opens the dialog that maps the fields of a file no format knows. */
  mapFields(file: GivenFile): void;
  /** Imports a file by a mapping, which is saved first if it is given a name. */
  importMapped(path: string, mapping: unknown, name: string | null): Promise<void>;
  cancelJob(jobId: string): Promise<void>;
  /** Waits for an import and says how it ended; opens its first transcript as soon as it has rows, null = does not. */
  awaitImport(jobId: string, opening: Opening | null): Promise<void>;
  receiveJob(job: JobInfo): void;
  receiveTranscript(event: Events['transcript']): void;
}

/** Something that is still to be opened. The person's last word counts: what was asked for before gives way. */
export interface Opening {
  open(id: string, where?: OpenAt): Promise<void>;
  /** Something that was asked for later has been opened. */
  isOutdated(): boolean;
}

/** What follows from what these actions do. */
export interface LibraryNext {
  reproject(): void;
  clearSeries(): void;
  loadRelatives(): void;
}

/** Places visited before, so that going back to a transcript goes back to its place. */
type Visited = Map<string, OpenAt>;

/** What is kept with each transcript. */
export interface Keepers {
  readonly choices: Choices;
}

export function libraryActions(core: Core, next: LibraryNext, { choices }: Keepers): LibraryActions {
  const get = () => core.store.getState();
  const visited: Visited = new Map();
  const openOnArrival = new Map<string, Opening>();
  let askedFor = 0;
  /** Which of those that were asked for was opened last. */
  let openedLast = 0;

  const leave = () => {
    const { session, projection, selection } = get();
    if (session.id === null) return;
    const stand = standOf(core);
    visited.set(session.id, { at: projection.at, selection, unfold: projection.unfold, ...(stand && { stand }) });
    // The engine frees its memory of the transcript; a failure here concerns nobody on screen.
    core.engine.call('transcript.close', { id: session.id }).catch(() => undefined);
  };

  const reset = (id: string | null, where: OpenAt) => {
    const { projection, session } = get();
    core.visit++;
    patch(core, 'session', { ...NO_SESSION, id, opening: id !== null });
    patch(core, 'projection', {
      ...NO_PROJECTION,
      at: where.at,
      unfold: where.unfold ?? [],
      scroll: { ...projection.scroll, row: 0, offset: 0 },
    });
    core.store.setState(({ filter }) => ({ filter: filterFor(filter, session.id, id) }));
    choices.arrive(id, session);
    core.store.setState({ selection: where.selection });
    Object.assign(core.viewport, { topRow: 0, topOffset: 0, from: 0, to: 40, atTop: true, atEnd: false });
    core.landing = where.stand ?? (where.selection ? 'reveal' : where.at === null ? 'first' : 'follow');
    core.unread = core.landing === 'first' ? core.scrolls : null;
    core.accounted = 0;
    next.clearSeries();
  };

  const show = async (id: string, where = visited.get(id) ?? { at: null, selection: null }) => {
    const { session } = get();
    if (session.id === id && session.error === null) return;
    // Asked before anything is drawn: the engine reads meanwhile. Whoever tries again leaves first, or would let go of what
    // the new question holds.
    const isAgain = session.id === id;
    if (isAgain) leave();
    const opened = core.engine.call('transcript.open', { id });
    if (!isAgain) leave();
    holdScreen(core, id);
    reset(id, where);
    const { visit } = core;
    try {
      const info = await opened;
      if (core.visit !== visit) return;
      core.accounted = info.messages;
      choices.opened(info);
      patch(core, 'session', { info, opening: false });
      goByTranscript(core, info);
      // Where it was left may be gone.
      keepWithin(core, info.messages);
      next.reproject();
      next.loadRelatives();
    } catch (thrown) {
      if (core.visit !== visit) return;
      patch(core, 'session', { opening: false, error: toProtocolError(thrown) });
      next.clearSeries();
    }
  };

  const opensLater = (): Opening => {
    const mine = ++askedFor;
    const isOutdated = () => mine < openedLast;
    return {
      isOutdated,
      async open(id, where) {
        if (isOutdated()) return;
        openedLast = mine;
        await show(id, where);
      },
    };
  };

  const openArrived = async (jobId: string, id: string) => {
    const opening = openOnArrival.get(jobId);
    // What gave way is offered when the import has ended.
    if (opening === undefined || opening.isOutdated()) return;
    openOnArrival.delete(jobId);
    await opening.open(id);
  };

  const awaitImport = async (jobId: string, opening: Opening | null) => {
    if (opening !== null) openOnArrival.set(jobId, opening);
    try {
      const { outcomes, folders } = await core.engine.call('import.result', { jobId });
      const reports = outcomes.map(({ file, handle, problems, error }) => ({ file, handle, problems, error }));
      const first = outcomes.flatMap((one) => one.transcripts)[0];
      const gaveWay = opening === null || (openOnArrival.has(jobId) && opening.isOutdated());
      const isLeft = first !== undefined && gaveWay && get().session.id !== first.id;
      reportImport(core, reports, outcomes, folders, isLeft ? () => void opensLater().open(first.id) : null);
      if (first) await openArrived(jobId, first.id);
    } finally {
      openOnArrival.delete(jobId);
    }
  };

  const importFiles = async (paths: readonly string[], opening: Opening | null) => {
    try {
      const { jobId } = await core.engine.call('import.start', { paths });
      await awaitImport(jobId, opening);
    } catch (thrown) {
      toast(core, { tone: 'error', text: `Import failed: ${toProtocolError(thrown).message}` });
    }
  };

  // Each asks for what changed since the answer before: two at a time would bring back what is gone.
  const refresh = oneByOne(async () => {
    try {
      const { library } = get();
      const change = await core.engine.call('library.list', { since: library.cursor });
      takeChange(core, change);
    } catch (thrown) {
      patch(core, 'library', { error: toProtocolError(thrown) });
    }
  });

  return {
    awaitImport,
    refresh,
    setFilter: (filter) => patch(core, 'library', { filter }),
    open: (id, where) => opensLater().open(id, where),
    opensLater,
    placeOf: (id) => visited.get(id) ?? null,
    close() {
      openedLast = ++askedFor;
      leave();
      reset(null, { at: null, selection: null });
    },
    async importPaths(paths) {
      if (paths.length === 0) return;
      // Who reads a transcript keeps reading it: the new one is offered.
      await importFiles(paths, get().session.id === null ? opensLater() : null);
    },
    openFile: (path) => importFiles([path], opensLater()),
    mapFields: (file) => mapFields(core, file),
    async importMapped(path, mapping, name) {
      const opening = opensLater();
      try {
        if (name !== null) await core.engine.call('mapping.save', { name, mapping });
        const { jobId } = await core.engine.call('import.start', { paths: [path], mapping });
        await awaitImport(jobId, opening);
      } catch (thrown) {
        toast(core, { tone: 'error', text: `Import failed: ${toProtocolError(thrown).message}` });
      }
    },
    async cancelJob(jobId) {
      try {
        await core.engine.call('job.cancel', { jobId });
      } catch (thrown) {
        toast(core, { tone: 'error', text: toProtocolError(thrown).message });
      }
    },
    receiveJob(job) {
      core.store.setState((state) => ({ jobs: withJob(state.jobs, job) }));
      if (job.state === 'failed' && job.kind !== 'import') {
        toast(core, { tone: 'error', text: `${job.title} failed.`, detail: job.error?.message ?? job.message });
      }
      const first = job.transcriptIds[0];
      if (job.kind === 'import' && first !== undefined) void openArrived(job.jobId, first);
    },
    receiveTranscript({ id, reason, info, instead }) {
      if (get().session.id !== id) return;
      if (reason === 'removed') {
        const { projection, selection } = get();
        // A branch that was taken up again continues under another id, with the same messages.
        if (instead !== undefined) {
          choices.passOn(instead);
          void show(instead, { at: projection.at, selection });
        } else reset(null, { at: null, selection: null });
        return;
      }
      if (info && (reason === 'grew' || reason === 'changed')) noteGrowth(core, info);
      if (info && isReadAtLast(core, info)) core.landing = 'first';
      if (info) patch(core, 'session', { info });
      if (info) goByTranscript(core, info);
      if (info && reason === 'changed') keepWithin(core, info.messages);
      if (reason === 'changed' || reason === 'linked') next.loadRelatives();
      next.reproject();
    },
  };
}

/** So long a transcript may take to its rows before the screen says that it is being opened. Unit: ms. */
const UNNOTICED_MS = 300;

/** Keeps the rows of the open transcript on screen until those of the next are there. */
function holdScreen({ store, screen }: Core, id: string): void {
  const isTimeline = ({ ui }: AppState) => ui.mode === 'timeline' && !ui.libraryWide && ui.dialog === null;
  const shown = screen.getState().projection.pages.projectionId;
  if (shown === null || !isTimeline(store.getState())) return;
  screen.hold((state) => {
    const { session, projection } = state;
    const isThere = projection.pages.projectionId !== null || projection.error !== null || session.error !== null;
    // It is called with each step on the way there, the first of which still has the rows of the one before.
    return session.id !== id || !isTimeline(state) || (isThere && projection.pages.projectionId !== shown);
  }, UNNOTICED_MS);
}

/** The row at the top of the list, where it is. */
function standOf({ store, viewport }: Core): LandingRow | null {
  const { pages } = store.getState().projection;
  const row = rowAt(pages, viewport.topRow)?.row;
  if (row === undefined || row.kind === 'synthetic') return null;
  return { index: row.index, part: row.part, offset: viewport.topOffset };
}

/** The import has ended of what was opened meanwhile, and the reader has not gone anywhere yet. */
function isReadAtLast(core: Core, info: TranscriptInfo): boolean {
  const { session, selection, projection } = core.store.getState();
  const isFree = core.unread === core.scrolls && selection === null && projection.at === null;
  return session.info?.state === 'importing' && info.state === 'ready' && isFree;
}

/** Takes what changed into the list; what stayed the same stays the same object. */
function takeChange(core: Core, { transcripts: changed, removed, whole, cursor }: LibraryChange): void {
  const { transcripts: before, selected } = core.store.getState().library;
  if (whole || before === null) {
    patch(core, 'library', { transcripts: changed, cursor, error: null });
    return;
  }
  if (changed.length === 0 && removed.length === 0) {
    patch(core, 'library', { cursor, error: null });
    return;
  }
  const news = new Map(changed.map((one) => [one.id, one]));
  const gone = new Set(removed);
  const kept = before.filter(({ id }) => !gone.has(id)).map((one) => news.get(one.id) ?? one);
  const known = new Set(before.map(({ id }) => id));
  const added = changed.filter(({ id }) => !known.has(id));
  patch(core, 'library', {
    transcripts: [...added, ...kept],
    selected: removed.some((id) => selected.has(id)) ? new Set([...selected].filter((id) => !gone.has(id))) : selected,
    cursor,
    error: null,
  });
}

/** The transcript went back: what was selected, opened or shown up to may be gone. */
function keepWithin(core: Core, messages: number): void {
  const { projection, selection } = core.store.getState();
  const isGone = selection !== null && (selection.kind !== 'message' || selection.index >= messages);
  if (isGone) core.store.setState({ selection: null });
  patch(core, 'projection', {
    ...(isGone ? { selectionRow: null } : {}),
    at: projection.at !== null && projection.at >= messages ? null : projection.at,
    open: projection.open.filter(({ index }) => index < messages),
  });
}

/** A policy that nobody chose goes by the transcript, also when a compaction or a projection turns up while it grows. */
function goByTranscript(core: Core, { compactions, projections }: TranscriptInfo): void {
  const { chosen, spec } = core.store.getState().projection;
  const wanted = defaultSpec(compactions > 0, projections > 0);
  if (!chosen && spec.name !== wanted.name) patch(core, 'projection', { spec: keepThinking(wanted, spec) });
}

/** Jobs under way, and those that failed; a finished one is of no more interest. */
export function withJob(jobs: Readonly<Record<string, JobInfo>>, job: JobInfo): Readonly<Record<string, JobInfo>> {
  const { [job.jobId]: _old, ...rest } = jobs;
  return job.state === 'done' || job.state === 'cancelled' ? rest : { ...rest, [job.jobId]: job };
}

function mapFields(core: Core, file: GivenFile): void {
  patch(core, 'ui', { dialog: { kind: 'mapping', file } });
}

function reportImport(
  core: Core,
  reports: readonly ImportReport[],
  outcomes: readonly { readonly transcripts: readonly { readonly messages: number; readonly existed: boolean }[] }[],
  folders: readonly FolderReport[],
  open: (() => void) | null,
): void {
  const failed = reports.filter((one) => one.error !== null);
  const transcripts = outcomes.flatMap((one) => one.transcripts);
  const problems = reports.reduce((sum, one) => sum + (one.error === null ? one.problems.length : 0), 0);
  const show = {
    label: 'Show',
    run: () => patch(core, 'ui', { dialog: { kind: 'importProblems', reports } }),
  };
  if (failed.length > 0) {
    const names = failed.map((one) => baseName(one.file));
    const text =
      failed.length === 1 ? `Could not import ${names[0]}` : `Could not import ${plural(failed.length, 'file')}`;
    const detail = failed.length === 1 ? failed[0]?.error?.text : names.join(', ');
    const [only] = failed.length === 1 ? failed : [];
    const map =
      only && canBeMapped(only)
        ? { label: MAP_FIELDS, run: () => mapFields(core, { handle: only.handle, name: only.file }) }
        : show;
    toast(core, { tone: 'error', text, ...(detail === undefined ? {} : { detail }), action: map });
  }
  if (transcripts.length === 0) return;
  const messages = transcripts.reduce((sum, one) => sum + one.messages, 0);
  const skipped = folders.reduce((sum, one) => sum + one.skipped, 0);
  const unreadable = folders.reduce((sum, one) => sum + one.unreadable.length, 0);
  const passed = skipped === 0 ? '' : `, ${plural(skipped, 'other file')} skipped`;
  const left = unreadable === 0 ? '' : `, ${formatCount(unreadable)} could not be read`;
  const known = `${transcripts.every((one) => one.existed) ? ' (already in the library)' : ''}${passed}${left}`;
  const text = `Imported ${plural(transcripts.length, 'transcript')}, ${plural(messages, 'message')}${known}`;
  const offered = open ? { action: { label: 'Open', run: open } } : {};
  if (problems === 0) toast(core, { tone: 'ok', text, ...offered });
  else {
    // A file of which little was read looks like any other in the library: here it is said, with the way out.
    const misread = reports.filter((one) => one.error === null && canBeMapped(one));
    const [only] = misread.length === 1 ? misread : [];
    const map = only && { label: MAP_FIELDS, run: () => mapFields(core, { handle: only.handle, name: only.file }) };
    const detail = describeMisread(misread) ?? `${plural(problems, 'problem')} found`;
    const tone = misread.length === 0 ? 'info' : 'error';
    const action = open ? offered : { action: map ?? show };
    toast(core, { tone, text, detail, ...action, ...(open ? { more: show } : {}) });
  }
}
