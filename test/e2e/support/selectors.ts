// How the journeys find things on screen. Every entry is a selector for page.locator().

const byId = (id: string): string => `[data-testid="${id}"]`;

export const SELECTORS = {
  app: byId('app'),
  /** `data-id`, `data-state` = importing, ready or failed. */
  libraryItem: byId('library-item'),
  cutTip: byId('cut-tip'),
  /** Shows or hides the branches and sub-agents under a session. */
  libraryFold: byId('library-fold'),
  libraryFilter: '#library-filter',
  libraryWide: byId('library-wide'),
  libraryTable: byId('library-table'),
  /** How many of how many the table shows. */
  libraryCount: byId('library-count'),
  tableClose: byId('table-close'),
  columnHead: (key: string): string => `.table-head [data-sort="${key}"]`,
  facets: byId('facets'),
  facet: (name: string): string => `[data-facet="${name}"]`,
  /** Shown while transcripts are chosen. */
  selectionBar: byId('selection-bar'),
  selectionTag: byId('selection-tag'),
  selectionRemove: byId('selection-remove'),
  tagsField: byId('tags-field'),
  /** `data-name`, `data-state` = all, some, none or new. */
  tagLine: byId('tag-line'),
  tagsDialog: byId('tags-dialog'),
  renameField: byId('rename-field'),
  renameSave: byId('rename-save'),
  noteField: byId('note-field'),
  /** `data-index`. */
  noteLine: byId('note-line'),
  /** On a row; `data-note`, `data-bookmark`. */
  rowMark: byId('row-mark'),
  storageDialog: byId('storage-dialog'),
  storageGroups: byId('storage-groups'),
  compact: byId('compact'),
  importButton: byId('import-button'),
  importJob: byId('import-job'),
  sourcesButton: byId('sources-button'),
  sourcesDialog: byId('sources-dialog'),
  sourceFile: byId('source-file'),
  givenRow: byId('given-row'),
  sourceFollow: byId('source-follow'),
  openSample: byId('open-sample'),
  /** `data-tour`. */
  jobCard: byId('job-card'),
  tour: byId('tour'),
  tourNext: byId('tour-next'),
  lookInside: byId('look-inside'),
  /** `data-known` = in the library already. */
  insideRow: byId('inside-row'),
  importChosen: byId('import-chosen'),
  missing: byId('missing'),
  formats: byId('formats'),
  showFormats: byId('show-formats'),
  findAnswer: byId('find-answer'),
  findNow: byId('find-now'),
  /** `data-tool`. */
  placeRow: byId('place-row'),
  /** `data-state`. */
  followRow: byId('follow-row'),
  followStatus: byId('follow-status'),
  liveDot: byId('live-dot'),
  freshChip: byId('fresh-chip'),
  importProblems: byId('import-problems'),
  mapFields: byId('map-fields'),
  mappingDialog: byId('mapping-dialog'),
  /** `data-messages` = number of messages that the mapping finds. */
  mappingPreview: byId('mapping-preview'),
  /** `data-role`. */
  previewRow: byId('preview-row'),
  pathInput: (field: string): string => `${byId('path-input')}[data-field="${field}"]`,
  roleValue: (value: string): string => `${byId('role-value')}[data-value="${value}"]`,
  mappingName: byId('mapping-name'),
  mappingImport: byId('mapping-import'),
  dropOverlay: byId('drop-overlay'),
  /** The scrolling list of both panes; takes the focus. */
  timeline: byId('timeline'),
  /** `data-index`, `data-part`, `data-fate`, `data-kind` = part, synthetic or fold. */
  row: byId('row'),
  rowOf: (index: number, part = 0): string =>
    `${byId('row')}[data-kind="part"][data-index="${index}"][data-part="${part}"]`,
  rowsWithFate: (fate: string): string => `${byId('row')}[data-fate="${fate}"]`,
  /** In a folded run of messages that are not sent: how many, and what is sent in their place. */
  goneFold: byId('gone-fold'),
  /** Within a row: its cells; the raw one first where both are shown. */
  cell: '[role="gridcell"]',
  rowDetail: '.row-detail',
  /** Provider safety refused a stage. */
  banner: byId('banner'),
  /** `data-at` = the call point. */
  scrubber: byId('scrubber'),
  layoutRaw: byId('layout-raw'),
  layoutSide: byId('layout-side'),
  layoutModel: byId('layout-model'),
  paletteButton: byId('palette-button'),
  palette: byId('palette'),
  paletteInput: '[cmdk-input]',
  paletteItem: '[cmdk-item]',
  keyMap: byId('key-map'),
  themeButton: byId('theme-button'),
  /** `data-hash` = the whole prefix hash. */
  statusHash: byId('status-hash'),
  statusTokens: byId('status-tokens'),
  status: byId('status'),
  statusActivity: byId('status-activity'),
  policyPanel: byId('policy-panel'),
  presetMenu: byId('preset-menu'),
  /** The open list of policies or of stages; entries have `data-name`. */
  pickList: byId('pick-list'),
  presetsTable: byId('presets-table'),
  /** `data-stage`, `data-kind`, `data-off`. */
  stageCard: byId('stage-card'),
  stageSummary: byId('stage-summary'),
  stageSwitch: byId('stage-switch'),
  stageToggle: byId('stage-toggle'),
  /** An option of the stages of a kind. */
  paramOf: (kind: string, name: string): string =>
    `${byId('stage-card')}[data-kind="${kind}"] ${byId('param')}[data-name="${name}"]`,
  /** Puts stages in the stated order; there only if they are not. */
  stagesSort: byId('stages-sort'),
  writeSummary: byId('write-summary'),
  modalDiscard: byId('modal-discard'),
  modalKeep: byId('modal-keep'),
  summaryDialog: byId('summary-dialog'),
  summaryText: byId('summary-text'),
  summarySave: byId('summary-save'),
  presetsTab: byId('presets-tab'),
  lint: byId('lint'),
  lintTotal: byId('lint-total'),
  lintTarget: byId('lint-target'),
  /** `data-code`, `data-index`. */
  lintFinding: byId('lint-finding'),
  lintProfile: byId('lint-profile'),
  lintRepair: byId('lint-repair'),
  lintApply: byId('lint-apply'),
  lintApplyProfile: byId('lint-apply-profile'),
  /** `data-badge`. */
  badge: (name: string): string => `[data-badge="${name}"]`,
  /** `data-breaks` = bars with a break. */
  cacheStrip: byId('cache-strip'),
  cacheCard: byId('cache-card'),
  cacheLoss: byId('cache-loss'),
  cachePoints: byId('cache-points'),
  cachePrices: byId('cache-prices'),
  pricesDialog: byId('prices-dialog'),
  pricesSave: byId('prices-save'),
  wireDialog: byId('wire-dialog'),
  wirePanes: byId('wire-panes'),
  wireSave: byId('wire-save'),
  wireSaved: byId('wire-saved'),
  param: (name: string): string => `${byId('param')}[data-name="${name}"]`,
  /** Unfolds the options that are at their default. */
  moreParams: byId('more-params'),
  addStage: byId('add-stage'),
  savePolicy: byId('save-policy'),
  policyName: byId('policy-name'),
  policyMore: byId('policy-more'),
  policyImport: byId('policy-import'),
  importDialog: byId('import-policy'),
  importApply: byId('import-apply'),
  blockedBy: byId('blocked-by'),
  /** `data-tone` = ok, close, over or unknown. */
  budget: byId('budget'),
  budgetTotal: byId('budget-total'),
  budgetMore: byId('budget-more'),
  addCap: byId('add-cap'),
  capOf: (tier: string): string => byId(`cap-${tier}`),
  capNotes: byId('cap-notes'),
  addActing: (kind: string): string => byId(`add-${kind}`),
  /** What stands beside the messages. */
  beside: byId('beside'),
  /** A piece of the gauge: `tools`, `system` or `overhead`. */
  besidePart: (part: string): string => `${byId('budget')} .budget-bar [data-part="${part}"]`,
  overhead: byId('overhead'),
  overheadUse: byId('overhead-use'),
  /** From the provider's figures to plain counts, and back. */
  plainCounts: byId('plain-counts'),
  recordedLine: byId('recorded-line'),
  overheadUsed: byId('overhead-used'),
  windowField: byId('window'),
  /** The window that the person set, with a click back to the model's. */
  yoursWindow: byId('yours-window'),
  /** The heading of the right pane; `data-sent`. */
  sent: byId('sent'),
  /** Presets after recorded compaction. */
  afterRecorded: byId('after-recorded'),
  modelMenu: byId('model-menu'),
  signedNote: byId('signed-note'),
  preset: (name: string): string => `${byId('presets-table')} [data-name="${name}"]`,
  editCode: byId('edit-code'),
  customEditor: byId('custom-editor'),
  customError: byId('custom-error'),
  drawerTab: (id: string): string => `${byId('drawer-tab')}[data-tab="${id}"]`,
  why: byId('why'),
  /** `data-verified`. */
  pointer: byId('pointer'),
  /** One `i` a call point, with `data-at`, `data-state`, `data-current`. */
  strip: byId('strip'),
  /** The bar of Ctrl+F, above the panes. */
  findBar: byId('find-bar'),
  findInput: byId('find-input'),
  findCase: byId('find-case'),
  findWord: byId('find-word'),
  findCount: byId('find-count'),
  findClose: byId('find-close'),
  /** Under the chart; `data-states` = the states of its runs. */
  findStrip: byId('find-strip'),
  /** The answer in the drawer; `data-state` = in the request shown. */
  find: byId('find'),
  findIntro: byId('find-intro'),
  findNowhere: byId('find-nowhere'),
  findSentence: byId('find-sentence'),
  /** `data-index`, `data-where`, `data-present`, `data-after`. */
  findPlace: byId('find-place'),
  findDivider: byId('find-divider'),
  /** `data-state`. */
  findCountState: (state: string): string => `${byId('find-count-state')}[data-state="${state}"]`,
  findLoss: byId('find-loss'),
  findInstead: byId('find-instead'),
  findAnchors: byId('find-anchors'),
  /** Next to a chosen text. */
  selectionAction: byId('selection-action'),
  searchButton: byId('search-button'),
  search: byId('search'),
  searchInput: byId('search-input'),
  /** One a transcript. */
  searchGroup: byId('search-group'),
  /** `data-index`, `data-part`, `data-transcript`. */
  searchHit: byId('search-hit'),
  searchTotal: byId('search-total'),
  searchProblem: byId('search-problem'),
  searchEmpty: byId('search-empty'),
  /** Above the panes while one goes from hit to hit. */
  searchBar: byId('search-bar'),
  searchPosition: byId('search-position'),
  /** What was found, marked in a text. */
  found: 'mark.found',
  problems: byId('problems'),
  usageRequest: (at: number): string => `${byId('usage-request')}[data-at="${at}"]`,
  exportDialog: byId('export-dialog'),
  exportButton: byId('export-button'),
  exportDone: byId('export-done'),
  verifyDialog: byId('verify-dialog'),
  verifyButton: byId('verify-button'),
  /** `data-same`. */
  verifyResult: byId('verify-result'),
  /** Branches and sub-agents of the open transcript. */
  relationsButton: byId('relations-button'),
  /** `data-id`, `data-active`, `data-here`. */
  branch: byId('branch'),
  child: byId('child'),
  /** On the row of a call: its sub-agent. */
  spawnLink: byId('spawn-link'),
  childLink: byId('child-link'),
  /** Of a sub-agent: back to the call. */
  parentLink: byId('parent-link'),
  drawer: byId('drawer'),
  toast: byId('toast'),
} as const;
