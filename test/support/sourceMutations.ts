// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of the sources, as they are written there

/** A change of the sources that a test must notice: in `file` the text `from`, which is there once, becomes `to`. */
export interface Mutation {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Test files that are run; one of them must fail. */
  readonly tests: readonly string[];
}

const ROWS = ['test/components/rows.test.tsx'];
const WIRING = ['test/renderer/wiring.test.ts'];
const STATE = ['test/renderer/state.test.ts'];
const ESCAPES = ['test/report/escapes.test.ts'];

const TRAIL = ['test/components/trail.test.tsx'];

const trail: readonly Mutation[] = [
  {
    name: 'trail: outcomes of the policy before are shown as those of the new one',
    file: 'renderer/state/trailMarks.ts',
    from: "trail.state === 'known' ? place.outcome : null",
    to: 'place.outcome',
    tests: TRAIL,
  },
  {
    name: 'trail: a step begins another trail',
    file: 'renderer/state/trailActions.ts',
    from: 'if (trail.of !== null && trail.step === selection.index) return trail;',
    to: '',
    tests: TRAIL,
  },
  {
    name: 'trail: the selection is not listened to',
    file: 'renderer/state/trailActions.ts',
    from: 'isOther || now.selection !== before.selection',
    to: 'isOther',
    tests: TRAIL,
  },
];

const rows: readonly Mutation[] = [
  {
    name: 'cell: raw and projected swapped',
    file: 'renderer/timeline/RowCell.tsx',
    from: "side === 'raw' ? row.raw : row.projected",
    to: "side === 'raw' ? row.projected : row.raw",
    tests: ROWS,
  },
  {
    name: 'row: left and right swapped',
    file: 'renderer/timeline/RowLine.tsx',
    from: 'side="raw" isOnly',
    to: 'side="projected" isOnly',
    tests: ROWS,
  },
  {
    name: 'row: right is raw',
    file: 'renderer/timeline/RowLine.tsx',
    from: 'side="projected" isOnly',
    to: 'side="raw" isOnly',
    tests: ROWS,
  },
];

/** Each listener of createApp, and each thing it does, left out. */
const listener = (name: string, from: string, to = ''): Mutation => ({
  name: `listener: ${name}`,
  file: 'renderer/state/app.ts',
  from,
  to,
  tests: WIRING,
});

const wiring: readonly Mutation[] = [
  listener('job', "engine.on('job', (job)", "engine.on('preset', (job: never)"),
  listener('job: not received', 'library.receiveJob(job);'),
  listener('job: list not read again', 'if (job.transcriptIds.length > known) refreshSoon();'),
  listener('library', "engine.on('library', () => {", "engine.on('preset', () => {"),
  listener('library: list', '      refreshSoon();\n      tagsSoon();', '      tagsSoon();'),
  listener('library: tags', '      refreshSoon();\n      tagsSoon();', '      refreshSoon();'),
  listener('library: relatives', '      relativesSoon();\n'),
  listener('summaries', 'if (store.getState().session.id === id) projection.reproject();'),
  listener('summaries: of any transcript', 'if (store.getState().session.id === id) projection', 'projection'),
  listener('marks', "engine.on('marks', ({ id }) => keep.receiveMarks(id)),"),
  listener('transcript', "engine.on('transcript', library.receiveTranscript),"),
  listener('series', "engine.on('series', series.receive),"),
  listener('follow', "engine.on('follow', ({ follows }) => sources.receiveFollows(follows)),"),
  listener('marks of a newly opened transcript', 'void keep.loadMarks();'),
  listener('saving: the screen', 'if (now.ui !== before.ui) saveUi();'),
  listener('saving: the library', 'if (now.library.view !== view || now.library.facets !== facets) saveLibrary();'),
  listener(
    'saving: window and tokenizer',
    'if (counted || now.projection.spec !== spec) saveChoice();',
    'if (now.projection.spec !== spec) saveChoice();',
  ),
  listener(
    'saving: policy',
    'if (counted || now.projection.spec !== spec) saveChoice();',
    'if (counted) saveChoice();',
  ),
  listener('saving: call point', 'if (moved || now.projection.at !== before.projection.at) saveSession();'),
  listener('saving: when the window closes', '      for (const one of all) one.flush();'),
];

const FEATURES = ['test/renderer/features.test.ts'];

const tabs: readonly Mutation[] = [
  {
    name: 'persistence: the tab is forgotten',
    file: 'renderer/state/persist.ts',
    from: "oneOf(stringAt(value, 'drawerTab'), DRAWER_TABS) ?? ",
    to: '',
    tests: STATE,
  },
  {
    name: 'features: a tab that no feature brings',
    file: 'renderer/app/features.ts',
    from: '  lintFeature,\n',
    to: '',
    tests: FEATURES,
  },
  {
    name: 'features: a feature left out',
    file: 'renderer/app/features.ts',
    from: '  relationsFeature,\n',
    to: '',
    tests: FEATURES,
  },
];

const state: readonly Mutation[] = [
  {
    name: 'persistence: window forgotten',
    file: 'renderer/state/choices.ts',
    from: "patch(core, 'projection', shown);",
    to: "patch(core, 'projection', { ...shown, window: null });",
    tests: STATE,
  },
  {
    name: 'jobs: a cancelled one stays',
    file: 'renderer/state/libraryActions.ts',
    from: "job.state === 'done' || job.state === 'cancelled'",
    to: "job.state === 'done'",
    tests: STATE,
  },
  {
    name: 'series: each piece at the beginning',
    file: 'renderer/state/seriesActions.ts',
    from: 'points.splice(piece.from,',
    to: 'points.splice(0,',
    tests: STATE,
  },
  {
    name: 'toasts: said twice',
    file: 'renderer/state/core.ts',
    from: 'const others = toasts.filter((one) => one.text !== message.text || one.detail !== message.detail);',
    to: 'const others = toasts;',
    tests: STATE,
  },
  {
    name: 'shorter transcript: selection one past the end',
    file: 'renderer/state/libraryActions.ts',
    from: 'selection.index >= messages',
    to: 'selection.index > messages',
    tests: STATE,
  },
  {
    name: 'shorter transcript: call point at the end',
    file: 'renderer/state/libraryActions.ts',
    from: 'projection.at >= messages ? null',
    to: 'projection.at > messages ? null',
    tests: STATE,
  },
];

const escapes: readonly Mutation[] = [
  ...(['title', 'summary'] as const).map((what) => ({
    name: `Markdown: ${what} in a cell not escaped`,
    file: 'core/report/markdown.ts',
    from: what === 'title' ? 'escapeMarkdown(report.title)' : 'escapeMarkdown(summary)',
    to: what === 'title' ? 'report.title' : 'summary',
    tests: ESCAPES,
  })),
  {
    name: 'Markdown: heading not escaped',
    file: 'core/report/markdown.ts',
    from: 'escapeMarkdown(transcript.title)',
    to: 'transcript.title',
    tests: ESCAPES,
  },
  ...[...'`*_{}[]<>#|@!'].map((char) => ({
    name: `Markdown: ${char === '|' ? 'the bar' : char} not escaped`,
    file: 'core/report/markdown.ts',
    from: '[\\\\`*_{}[\\]<>#|@!]',
    to: '[\\\\`*_{}[\\]<>#|@!]'.replace(char === ']' ? '\\]' : char === '[' ? '}[' : char, char === '[' ? '}' : ''),
    tests: ESCAPES,
  })),
  {
    name: 'Markdown: line ends stay',
    file: 'core/report/markdown.ts',
    from: "text.replace(/\\s+/g, ' ').replace(",
    to: 'text.replace(',
    tests: ESCAPES,
  },
  {
    name: 'Markdown: fence of three always',
    file: 'core/report/markdown.ts',
    from: "'`'.repeat(longest + 1)",
    to: "'`'.repeat(3)",
    tests: ESCAPES,
  },
  {
    name: 'command: file name not quoted',
    file: 'core/util/shellWord.ts',
    from: '/^[\\p{L}\\p{M}\\p{N}/:._+@-]+$/u.test(path) ? path',
    to: 'path.length > 0 ? path',
    tests: ESCAPES,
  },
  {
    name: 'command: quote in a file name',
    file: 'core/util/shellWord.ts',
    from: '${path.replaceAll("\'", "\'\\\\\'\'")}',
    to: '${path}',
    tests: ESCAPES,
  },
  {
    name: 'search: value not in quotes',
    file: 'renderer/search/suggest.ts',
    from: 'return /[\\s()"]/.test(value) ? `"${value.replaceAll(\'"\', \'\')}"` : value;',
    to: 'return value;',
    tests: ESCAPES,
  },
  {
    name: 'search: quote within a value',
    file: 'renderer/search/suggest.ts',
    from: "value.replaceAll('\"', '')",
    to: 'value',
    tests: ESCAPES,
  },
  {
    name: 'terminal: unseen characters',
    file: 'cli/support/output.ts',
    from: "forTerminal(text.replace(/\\s+/g, ' ').trim())",
    to: "text.replace(/\\s+/g, ' ').trim()",
    tests: ESCAPES,
  },
  {
    name: 'screen: unseen characters',
    file: 'renderer/ui/Seen.tsx',
    from: '{codeOf(piece.text)}\n',
    to: '{piece.text}\n',
    tests: ['test/components/unseen.test.tsx'],
  },
  {
    name: 'rows: control characters',
    file: 'core/engine/rows/format.ts',
    from: ".replace(UNSEEN, '')",
    to: '',
    tests: ['test/engine/preview.test.ts'],
  },
  {
    name: 'download: name not encoded',
    file: 'cli/web/files.ts',
    from: 'encodeURIComponent(name)',
    to: 'name',
    tests: ['test/hosts/webHost.test.ts'],
  },
  {
    name: 'download: any path',
    file: 'cli/web/files.ts',
    from: "name !== '' && !name.startsWith('.') && !/[/\\\\:\\0]/.test(name) ? name : null",
    to: 'name',
    tests: ['test/hosts/webHost.test.ts'],
  },
  {
    name: 'page: any path',
    file: 'core/protocol/page.ts',
    from: 'return segments.every((segment) => SEGMENT.test(segment)) ? segments : null;',
    to: 'return segments;',
    tests: ['test/hosts/webHost.test.ts'],
  },
];

const edits: readonly Mutation[] = [
  {
    name: 'keys: policy undone from a field',
    file: 'renderer/app/useGlobalKeys.ts',
    from: '!(command.inFields && worksInField(chord))',
    to: '!worksInField(chord)',
    tests: ['test/components/policyEdits.test.tsx'],
  },
  {
    name: 'keys: typed character instead of the key on macOS',
    file: 'renderer/keys/keys.ts',
    from: "altKey && platform === 'darwin'",
    to: "altKey && platform === 'win32'",
    tests: ['test/renderer/keys.test.ts'],
  },
  {
    name: 'slider: drag out and back ends no step',
    file: 'renderer/policy/params/IntegerParam.tsx',
    from: 'onLostPointerCapture={gesture.end}',
    to: 'onValueCommit={gesture.end}',
    tests: ['test/components/policyEdits.test.tsx'],
  },
];

const PARTS = ['test/components/parts.test.tsx'];

const parts: readonly Mutation[] = [
  {
    name: 'drawer: badge of the problems on another tab',
    file: 'renderer/drawer/feature.ts',
    from: 'problems: () => useProblems().count',
    to: 'lint: () => useProblems().count',
    tests: PARTS,
  },
  {
    name: 'drawer: notes not counted',
    file: 'renderer/drawer/feature.ts',
    from: 'marks.list?.length ?? 0',
    to: 'marks.list?.length === 0 ? 0 : 0',
    tests: PARTS,
  },
  {
    name: 'stage card: Alt+↑ moves down',
    file: 'renderer/policy/StageCard.tsx',
    from: "event.key === 'ArrowUp' ? -1",
    to: "event.key === 'ArrowUp' ? 1",
    tests: PARTS,
  },
  {
    name: 'stage card: switch of another stage',
    file: 'renderer/policy/StageHead.tsx',
    from: 'setEnabled(spec, at, checked)',
    to: 'setEnabled(spec, 0, checked)',
    tests: PARTS,
  },
  {
    name: 'toast: an error goes by itself',
    file: 'renderer/app/Toasts.tsx',
    from: "toast.tone === 'error' || isHeld",
    to: 'isHeld',
    tests: PARTS,
  },
  {
    name: 'toast: goes while it is held',
    file: 'renderer/app/Toasts.tsx',
    from: "toast.tone === 'error' || isHeld",
    to: "toast.tone === 'error'",
    tests: PARTS,
  },
  {
    name: 'note: lost when the drawer closes',
    file: 'renderer/drawer/NoteField.tsx',
    from: 'useEffect(() => () => leave.current(), []);',
    to: '',
    tests: PARTS,
  },
  {
    name: 'note: lost when the field is left',
    file: 'renderer/drawer/NoteField.tsx',
    from: 'onBlur={save}',
    to: '',
    tests: PARTS,
  },
  {
    name: 'dialog: closes with something unsaved',
    file: 'renderer/ui/Modal.tsx',
    from: 'useUnsaved(unsaved !== null, onClose)',
    to: 'useUnsaved(false, onClose)',
    tests: PARTS,
  },
  {
    name: 'failure: not drawn again when something else is shown',
    file: 'renderer/ui/FailureBoundary.tsx',
    from: 'before.shown !== this.props.shown',
    to: 'before.shown === undefined',
    tests: ['test/components/failure.test.tsx'],
  },
  {
    name: 'failure: promises unheard',
    file: 'renderer/app/useFailures.ts',
    from: "window.addEventListener('unhandledrejection', onRejection);",
    to: '',
    tests: ['test/components/failure.test.tsx'],
  },
];

const ANSWERS = ['test/components/useAnswer.test.tsx'];

const answers: readonly Mutation[] = [
  {
    name: 'answer: a late one is shown',
    file: 'renderer/state/useAnswer.ts',
    from: '      isWanted = false;\n',
    to: '',
    tests: ANSWERS,
  },
  {
    name: 'answer: of another thing is shown',
    file: 'renderer/state/useAnswer.ts',
    from: 'about !== null && held.about === about',
    to: 'about !== null',
    tests: ANSWERS,
  },
  {
    name: 'answer: asked before the question has rested',
    file: 'renderer/state/useAnswer.ts',
    from: 'rest > 0 ? setTimeout(ask, rest) : void ask()',
    to: 'void ask()',
    tests: ANSWERS,
  },
  {
    name: 'answer: a question about the same is asked at every step',
    file: 'renderer/state/useAnswer.ts',
    from: 'isFresh ? settles.within : wait',
    to: 'wait',
    tests: ANSWERS,
  },
];

const PLACES = ['test/components/places.test.tsx'];

const places: readonly Mutation[] = [
  {
    name: 'place: raw and projected columns swapped',
    file: 'renderer/budget/CategoryTable.tsx',
    from: '<td>{formatCount(row.raw)}</td>\n            <td>{formatCount(row.projected)}</td>',
    to: '<td>{formatCount(row.projected)}</td>\n            <td>{formatCount(row.raw)}</td>',
    tests: PLACES,
  },
  {
    name: 'place: overhead missing in a total',
    file: 'renderer/budget/CategoryTable.tsx',
    from: 'projected.total + beside.total',
    to: 'projected.total',
    tests: PLACES,
  },
  {
    name: 'place: diff the wrong way round',
    file: 'renderer/drawer/DiffTab.tsx',
    from: 'before={before} after={after}',
    to: 'before={after} after={before}',
    tests: PLACES,
  },
  {
    name: 'place: failed import still listed',
    file: 'renderer/library/ImportJobs.tsx',
    from: "job.kind === 'import' && (job.state === 'running' || job.state === 'queued')",
    to: "job.kind === 'import'",
    tests: PLACES,
  },
  {
    name: 'place: other jobs among the imports',
    file: 'renderer/library/ImportJobs.tsx',
    from: "job.kind === 'import' && (",
    to: '(',
    tests: PLACES,
  },
  {
    name: 'place: playhead one bar late',
    file: 'renderer/scrubber/ScrubberChart.tsx',
    from: '(chart, source.starts[source.points.length] ?? 0) : xOf(chart, at);',
    to: '(chart, source.starts[source.points.length] ?? 0) : xOf(chart, at) + chart.step;',
    tests: PLACES,
  },
  {
    name: 'place: the next request is a call',
    file: 'renderer/scrubber/axisTicks.ts',
    from: 'const isNext = at >= messages;',
    to: 'const isNext = at > messages;',
    tests: PLACES,
  },
  {
    name: 'place: compaction at the first bar',
    file: 'renderer/scrubber/Compactions.tsx',
    from: 'x: xOfNextCall(chart, mark.at)',
    to: 'x: xOfNextCall(chart, 0)',
    tests: PLACES,
  },
  {
    name: 'place: another bar lit',
    file: 'renderer/scrubber/ScrubberChart.tsx',
    from: 'chart.bars[hovered];',
    to: 'chart.bars[hovered + 1];',
    tests: PLACES,
  },
];

const overhead: readonly Mutation[] = [
  {
    name: 'overhead: not undone',
    file: 'renderer/state/projectionActions.ts',
    from: 'overhead: isOther ? session.overhead : null',
    to: 'overhead: null',
    tests: ['test/renderer/app.test.ts'],
  },
  {
    name: 'overhead: goes on to the next transcript',
    file: 'renderer/state/choices.ts',
    from: '(before.id === null ? before.overhead : 0)',
    to: 'before.overhead',
    tests: ['test/renderer/app.test.ts'],
  },
  {
    name: 'overhead: the engine is asked without it',
    file: 'renderer/state/projectionActions.ts',
    from: 'showIt(askedSpec({ projection, session }), false)',
    to: 'showIt(projection.spec, false)',
    tests: ['test/renderer/app.test.ts'],
  },
];

const CHECKS = ['test/components/checks.test.tsx'];

const checks: readonly Mutation[] = [
  {
    name: 'checks: green before all was looked at',
    file: 'renderer/checks/words.ts',
    from: 'counts.passed > 0 && isWhole',
    to: 'counts.passed > 0',
    tests: CHECKS,
  },
  {
    name: 'checks: what could not be read is not counted',
    file: 'renderer/checks/words.ts',
    from: '(unread + missing) * rules.length',
    to: 'missing * rules.length',
    tests: CHECKS,
  },
  {
    name: 'checks: results of another transcript are shown',
    file: 'renderer/checks/ChecksMode.tsx',
    from: '(last.ids.length > 1 || last.ids[0] === id)',
    to: '(last.ids.length > 0 || last.ids[0] === id)',
    tests: CHECKS,
  },
  {
    name: 'checks: the request a rule does not look at is one it does',
    file: 'core/check/evidence.ts',
    from: 'looked: looked.has(position), holds: isSaidYet',
    to: 'looked: true, holds: isSaidYet',
    tests: ['test/check/evidence.test.ts'],
  },
];

const RECONFIGURED = ['test/projection/reconfigured.test.ts'];

const options: readonly Mutation[] = [
  {
    name: 'retention: what turned under other rules is not shown',
    file: 'core/stages/reducers/retentionRun.ts',
    from: 'if (this.#countsAgain) this.#noteTurned();',
    to: '',
    tests: RECONFIGURED,
  },
  {
    name: 'window: takes another cap on tokens as if it were the same',
    file: 'core/stages/reducers/slidingWindow.ts',
    from: 'if (this.#input === null || params.tokens !== tokens || params.fitBudget !== fitBudget) return false;',
    to: 'if (this.#input === null || params.fitBudget !== fitBudget) return false;',
    tests: RECONFIGURED,
  },
  {
    name: 'reachability: the sentences of the option before',
    file: 'core/stages/harn/gcRun.ts',
    from: 'this.#params = params;\n    this.#decider = this.#deciderFor(params);\n    return true;',
    to: 'this.#params = params;\n    return true;',
    tests: RECONFIGURED,
  },
  {
    name: 'pipeline: what is begun again says no changes to a stage that stays',
    file: 'core/projection/pipeline.ts',
    from: 'if (old !== undefined && nth < lastToStay) made.replace(old, last?.output ?? this.raw);',
    to: '',
    tests: RECONFIGURED,
  },
  {
    name: 'fates: messages of a window count as there',
    file: 'core/projection/stagesSaid.ts',
    from: 'if (!haveSameSources(before, view)) this.#present = this.#presentIn(view, stage.kind);',
    to: '',
    tests: RECONFIGURED,
  },
];

const PIECES = ['test/hygiene/callPoints.test.ts'];

const pieces: readonly Mutation[] = [
  {
    name: 'pieces: one that comes back does not ask which ids are taken by now',
    file: 'core/stages/hygiene/pieces/idsOutlooks.ts',
    from: 'return this.#isAsBefore;',
    to: 'this.#isAsBefore = true;\n    return true;',
    tests: PIECES,
  },
  {
    name: 'pieces: what stands around one is taken for what stood there',
    file: 'core/stages/hygiene/pieces/chain.ts',
    from: 'outlook.isAsBefore?.(segment) ?? isSameAround(ran.around, outlook.around(segment))',
    to: 'outlook.isAsBefore?.(segment) ?? true',
    tests: PIECES,
  },
  {
    name: 'pieces: those that come back as one are taken to hold what they held',
    file: 'core/stages/hygiene/pieces/chain.ts',
    from: 'piece.drafts.length > 0 && piece.holdsAsRead(view)',
    to: 'piece.drafts.length > 0',
    tests: PIECES,
  },
  {
    name: 'pieces: ids of those that come back as one are taken to be theirs alone',
    file: 'core/stages/hygiene/pieces/idsOutlooks.ts',
    from: 'areAsBefore(): boolean {\n    return this.#areApart;',
    to: 'areAsBefore(): boolean {\n    return true;',
    tests: PIECES,
  },
  {
    name: 'pieces: one that was taken out still holds its cells',
    file: 'core/stages/hygiene/pieces/segments.ts',
    from: 'found === null || found.isThere ? found : this.#startingBefore(this.block?.from ?? 0)',
    to: 'found',
    tests: PIECES,
  },
];

const SCREEN = ['test/renderer/screenState.test.ts', 'test/renderer/interleavings.test.ts'];
const WAITS = ['test/engine/waits.test.ts', 'test/engine/workQueue.test.ts', 'test/engine/jobs/jobClient.test.ts'];

const opening: readonly Mutation[] = [
  {
    name: 'opening: rows do not end what is kept',
    file: 'renderer/state/screenState.ts',
    from: 'else if (isReady(state)) release();',
    to: '',
    tests: SCREEN,
  },
  {
    name: 'opening: what is kept stays for ever',
    file: 'renderer/state/screenState.ts',
    from: 'timer = setTimeout(release, ms);',
    to: '',
    tests: SCREEN,
  },
  {
    name: 'opening: another one that is opened ends what is kept',
    file: 'renderer/state/screenState.ts',
    from: '      isReady = ready;\n',
    to: '      if (kept === null) isReady = ready;\n',
    tests: SCREEN,
  },
  {
    name: 'opening: the selection is drawn before the rows are',
    file: 'renderer/state/screenState.ts',
    from: "  'selection',\n",
    to: '',
    tests: SCREEN,
  },
  {
    name: 'opening: the rows before end what is kept',
    file: 'renderer/state/libraryActions.ts',
    from: '(isThere && projection.pages.projectionId !== shown)',
    to: 'isThere',
    tests: SCREEN,
  },
  {
    name: 'opening: a click goes to the rows that go',
    file: 'renderer/app/usePassedPointer.ts',
    from: '!screen.isHeld || ',
    to: '',
    tests: ['test/components/passedPointer.test.tsx'],
  },
  {
    name: 'opening: rows are read ahead of what is replaced',
    file: 'renderer/state/projectionActions.ts',
    from: 'if (info === null) {',
    to: 'if (info === undefined) {',
    tests: ['test/renderer/firstPlace.test.ts'],
  },
  {
    name: 'waits: an answer begins no moment',
    file: 'core/engine/threads/waits.ts',
    from: 'this.beginMoment();\n    Atomics.sub',
    to: 'Atomics.sub',
    tests: WAITS,
  },
  {
    name: 'waits: a thread never gets its slice',
    file: 'core/engine/threads/waits.ts',
    from: ' || this.#clock.now() - from >= KEPT_MOST_MS',
    to: '',
    tests: WAITS,
  },
  {
    name: 'waits: who is stopped stands still',
    file: 'core/engine/survey/runSurveys.ts',
    from: 'await waits.calm(signal);',
    to: 'await waits.calm();',
    tests: WAITS,
  },
  {
    name: 'waits: the clock goes round',
    file: 'core/engine/threads/waits.ts',
    from: 'Atomics.load(this.#words, SINCE)) | 0',
    to: 'Atomics.load(this.#words, SINCE))',
    tests: WAITS,
  },
  {
    name: 'waits: work that fails waits for ever',
    file: 'core/engine/session/workQueue.ts',
    from: '      this.#waits.end();\n',
    to: '',
    tests: WAITS,
  },
  {
    name: 'waits: the thread has words of its own',
    file: 'core/engine/jobs/jobClient.ts',
    from: 'waits: waits.shared }',
    to: 'waits: new Waits().shared }',
    tests: WAITS,
  },
];

/** All of them. Each is anchored on text that says what it does. */
export const MUTATIONS: readonly Mutation[] = [
  ...rows,
  ...wiring,
  ...tabs,
  ...state,
  ...escapes,
  ...edits,
  ...parts,
  ...answers,
  ...places,
  ...overhead,
  ...trail,
  ...checks,
  ...options,
  ...pieces,
  ...opening,
];
