import { DEFAULT_VIEW, NO_FACETS } from '../../core/library/query.ts';
import type { ProjectionSpec } from '../../core/projection/types.ts';
import { NO_PAGES } from './rowPages.ts';
import type { AppState, LintTarget, ProjectionState, SearchState, SessionState, TrailState } from './types.ts';

/** The spec a new library starts with: nothing is changed. */
export const RAW_SPEC: ProjectionSpec = { version: 1, name: 'raw', stages: [] };

/** The lint asks for the transcript's own provider. */
export const OWN_TARGET: LintTarget = { provider: '', api: '', model: '' };

/** No transcript is open. */
export const NO_SESSION: SessionState = {
  id: null,
  info: null,
  opening: false,
  error: null,
  overhead: 0,
  fresh: 0,
  relatives: null,
  relativesError: null,
};

/** Everything about a projection that belongs to one transcript, empty. */
export const NO_PROJECTION: Omit<
  ProjectionState,
  'spec' | 'chosen' | 'window' | 'tokenizer' | 'past' | 'future' | 'elsewhere'
> = {
  at: null,
  info: null,
  pages: NO_PAGES,
  pending: false,
  error: null,
  scroll: { seq: 0, row: 0, offset: 0 },
  open: [],
  unfold: [],
  selectionRow: null,
  tried: null,
};

/** A search that found nothing yet. */
export const NO_RESULTS: Pick<SearchState, 'hits' | 'groups' | 'result'> = { hits: [], groups: {}, result: null };

/** No message is selected. */
export const NO_TRAIL: TrailState = { of: null, step: null, found: null, state: 'pending', error: null };

/** The state before anything was loaded. */
export const INITIAL_STATE: AppState = {
  ui: {
    theme: 'system',
    mode: 'timeline',
    layout: 'side',
    fold: false,
    dimInjected: true,
    shownOnce: true,
    density: 'compact',
    rawTexts: false,
    axis: 'calls',
    libraryOpen: true,
    libraryWide: false,
    policyOpen: true,
    drawerOpen: true,
    drawerTab: 'why',
    drawerSide: 'bottom',
    drawerMax: false,
    sizes: { library: 236, policy: 312, drawer: 216, drawerRight: 420 },
    dialog: null,
    narrow: false,
    small: false,
    low: false,
    chartFull: false,
    policyOver: false,
    libraryOver: false,
    drawerOver: false,
    afterRecorded: false,
  },
  library: {
    transcripts: null,
    error: null,
    filter: '',
    cursor: null,
    view: DEFAULT_VIEW,
    facets: NO_FACETS,
    focused: null,
    selected: new Set(),
    tags: [],
    removed: null,
  },
  marks: { id: null, list: null, error: null },
  watch: { id: null, list: null, error: null },
  session: NO_SESSION,
  projection: {
    ...NO_PROJECTION,
    spec: RAW_SPEC,
    chosen: false,
    window: null,
    tokenizer: null,
    past: [],
    future: [],
    elsewhere: null,
  },
  selection: null,
  search: {
    ...NO_RESULTS,
    query: '',
    terms: [],
    sort: 'relevance',
    isLoading: false,
    error: null,
    selected: 0,
    isStepping: false,
  },
  find: {
    isOpen: false,
    calledFrom: null,
    text: '',
    matchCase: false,
    wholeWord: false,
    trace: null,
    isLoading: false,
    error: null,
    chosen: null,
  },
  trail: NO_TRAIL,
  compactionOf: null,
  checks: { file: null, run: null, order: { seq: 0, what: 'again' } },
  compare: { b: null, order: { seq: 0, what: 'next' } },
  filter: { isOpen: false, text: '', others: 'fold', colors: null, left: new Map() },
  lintTarget: OWN_TARGET,
  mappingDrafts: {},
  series: { series: null, computing: false, error: null },
  timeline: { look: null, area: null, anchor: null },
  usage: { id: null, info: null, error: null },
  sources: { follows: [], places: null, missing: [], given: [], error: null },
  describe: null,
  savedPolicies: null,
  jobs: {},
  work: {},
  steps: { at: 0, last: 0, links: 0 },
  tour: null,
  toasts: [],
  unsaved: false,
  disconnected: null,
  unwritable: null,
};
