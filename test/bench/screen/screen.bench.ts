/** What a person waits for, in a real browser on the real web host: opening, sliders, scrolling, memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { buildIfStale } from '../../../cli/build.ts';
import { writeClaudeCodeFile } from '../../support/generate.ts';
import { corpusFiles } from '../../support/shared.ts';
import { median, quantile } from '../measure.ts';
import type { BenchOptions, BenchRow } from '../types.ts';
import { type BenchApp, launchApp, launchBrowser, launchEmptyPage } from './launch.ts';
import * as steps from './steps.ts';

const GROUP = 'screen';
const SCROLL = { distance: 24_000, speed: 6_000 };
const MAX_RATIO = 1.3;
const OPENED = 20;
const REST_MS = 12_000;
const CHOOSE_MS = 2_500;
const ALL_STEPS_SLIDERS = [
  ['reachability_gc', 'root_window'],
  ['tool_result_retention', 'value'],
  ['sliding_window', 'turns'],
] as const;

/** A transcript to measure on. Limits in ms; absent = no aim. */
interface Subject {
  readonly name: string;
  readonly path: string;
  readonly openWithin?: number;
  readonly coldWithin?: number;
  readonly sliderWithin?: number;
  readonly allStepsWithin?: number;
  readonly memory?: boolean;
}

/** The group: two generated sessions and the largest recorded one. */
export async function benchScreen({ quick }: BenchOptions): Promise<readonly BenchRow[]> {
  await buildIfStale(['renderer']);
  const dir = mkdtempSync(join(tmpdir(), 'parallax-bench-'));
  const browser = await launchBrowser();
  try {
    const small = join(dir, 'small.jsonl');
    writeClaudeCodeFile(small, { messages: 20, seed: 20 });
    const rows: BenchRow[] = [];
    for (const subject of subjects(dir, quick)) rows.push(...(await measure(browser, dir, small, subject)));
    return rows;
  } finally {
    await browser.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

function* subjects(dir: string, quick: boolean): Generator<Subject> {
  const recorded = corpusFiles('claude-code').find((each) => each.includes('/large/'));
  if (recorded !== undefined) {
    yield { name: 'recorded 25.7 MB', path: recorded, openWithin: 300, coldWithin: 2000, memory: true };
  }
  const sizes = quick ? [10_000] : [10_000, 100_000];
  for (const messages of sizes) {
    const path = join(dir, `generated-${messages}.jsonl`);
    writeClaudeCodeFile(path, { messages, seed: messages });
    const limits = messages === 100_000 ? { openWithin: 1000, sliderWithin: 300, allStepsWithin: 500 } : {};
    yield { name: `${messages.toLocaleString('en')} generated`, path, ...limits };
  }
}

async function measure(browser: Browser, dir: string, small: string, subject: Subject): Promise<BenchRow[]> {
  const library = mkdtempSync(join(dir, 'library-'));
  const rows: BenchRow[] = [];
  const row: AddRow = (what, value, unit, { limit, ...more } = {}) => {
    const aim = limit === undefined ? {} : { aim: `< ${limit} ${unit}`, ok: value < limit };
    rows.push({ group: GROUP, name: `${subject.name}: ${what}`, value, unit, ...aim, ...more });
  };
  const first = await launchApp(browser, library);
  // Nobody has chosen a file while the page comes up, and its threads with it.
  await first.page.waitForTimeout(CHOOSE_MS);
  // An import does not leave the transcript that is open: the one that is measured comes first.
  const cold = { limit: subject.coldWithin, note: 'the first import of a new host' };
  row('file chosen → rows painted', await steps.importFile(first, subject.path), 'ms', cold);
  const id = (await openId(first)) ?? '';
  await steps.settle(first);
  await steps.importFile(first, small, 1);
  await steps.settle(first);
  const smallId = (await steps.libraryIds(first)).find((each) => each !== id) ?? '';
  if (subject.memory) await steps.choosePreset(first, 'reachability_gc');
  if (subject.memory) await memoryRow(first, 'host after import, count, GC', row);
  await leave(first, smallId);
  const opened: number[] = [];
  for (let round = 0; round < 3; round++) {
    const app = await launchApp(browser, library);
    await steps.settle(app);
    opened.push(await steps.openTranscript(app, id));
    if (round === 2) await inUse(browser, app, subject, row);
    else await steps.settle(app);
    await leave(app, smallId);
  }
  const note = 'median of 3, each in a new host';
  row('click → rows painted', median(opened), 'ms', { limit: subject.openWithin, note });
  return rows;
}

type AddRow = (
  what: string,
  value: number,
  unit: string,
  more?: Partial<BenchRow> & { readonly limit?: number | undefined },
) => void;

/** All that is measured on an open transcript. */
async function inUse(browser: Browser, app: BenchApp, subject: Subject, row: AddRow): Promise<void> {
  await steps.settle(app);
  await steps.choosePreset(app, 'reachability_gc');
  if (subject.memory) {
    row('page heap, editor not loaded', await steps.pageHeap(app), 'MB', { limit: 60 });
    await memoryRow(app, 'host after open, raw, GC', row);
  }
  await steps.closeDrawer(app);
  await sliders(app, 'slider', subject, row);
  await steps.openInSight(app);
  await sliders(app, 'message open: slider', subject, row);
  await allSteps(app, subject, row);
  await steps.settle(app);
  await scrollRows(browser, app, row, 'scrolling');
  if (subject.memory) {
    await steps.openInSight(app);
    await steps.showJson(app);
    row('page heap, editor loaded', await steps.pageHeap(app), 'MB');
    await memoryRow(app, 'host after 20 slider changes', row);
  }
  await steps.closeDrawer(app);
  // Nothing of it is folded away: there is enough to scroll.
  await steps.choosePreset(app, 'raw');
  await steps.openRows(app, OPENED);
  await scrollRows(browser, app, row, `scrolling with ${OPENED} opened rows`);
}

async function sliders(app: BenchApp, what: string, { sliderWithin: limit }: Subject, row: AddRow): Promise<void> {
  const changes: number[] = [];
  for (const param of ['root_window', 'min_chars']) {
    changes.push(...(await steps.moveSlider(app, 'reachability_gc', param, 10)));
  }
  const note = `${changes.length} changes of root_window and min_chars`;
  row(`${what} → repaint, median`, median(changes), 'ms', { limit, note });
  row(`${what} → repaint, p95`, quantile(changes, 0.95), 'ms', { limit, note });
}

/** The preset with a stage of every kind; then the one-stage policy again, for what is measured after it. */
async function allSteps(app: BenchApp, subject: Subject, row: AddRow): Promise<void> {
  await steps.closeDrawer(app);
  await steps.choosePreset(app, 'all_steps');
  const changes: number[] = [];
  for (const [stage, param] of ALL_STEPS_SLIDERS) changes.push(...(await steps.moveSlider(app, stage, param, 6)));
  const note = `${changes.length} changes of ${ALL_STEPS_SLIDERS.map(([, param]) => param).join(', ')}`;
  row('all steps: slider → repaint, median', median(changes), 'ms', { limit: subject.allStepsWithin, note });
  row('all steps: slider → repaint, p95', quantile(changes, 0.95), 'ms', { note });
  await steps.choosePreset(app, 'reachability_gc');
}

/** Right after work, and when it has rested: then it frees what is dead. The rest is what is held against the limit. */
async function memoryRow(app: BenchApp, what: string, row: AddRow): Promise<void> {
  await steps.rest(app);
  const { now } = app.hostMemory();
  await app.page.waitForTimeout(REST_MS);
  const rest = app.hostMemory();
  const peak = rest.peak === null ? '' : `, peak ${Math.round(rest.peak)} MB`;
  row(what, rest.now, 'MB', { limit: 350, note: `at rest; ${Math.round(now)} MB right after work${peak}` });
}

/** Takes turns with an empty page, there and back, so that whatever else the machine does disturbs both. */
async function scrollRows(browser: Browser, app: BenchApp, row: AddRow, what: string): Promise<void> {
  const empty = await launchEmptyPage(browser);
  await steps.toTheTop(app);
  await steps.settle(app);
  const ours: number[] = [];
  const theirs: number[] = [];
  let blank = 0;
  let unread = 0;
  let frames = 0;
  let pixels = 0;
  for (let round = 0; round < 4; round++) {
    const distance = round % 2 === 0 ? SCROLL.distance : -SCROLL.distance;
    const bare = await steps.scroll(empty.page, empty.cdp, distance, SCROLL.speed);
    const own = await steps.scroll(app.page, app.cdp, distance, SCROLL.speed);
    theirs.push(quantile(bare.intervals, 0.95));
    ours.push(quantile(own.intervals, 0.95));
    blank += own.blank;
    unread += own.unread;
    frames += own.intervals.length;
    pixels += own.distance;
  }
  await empty.page.context().close();
  await app.page.bringToFront();
  const note = `${frames} frames, ${Math.round(pixels).toLocaleString('en')} px`;
  const ratio = median(theirs) / median(ours);
  row(`${what}, empty page: p95 frame`, median(theirs), 'ms', { note: 'median of 4' });
  row(`${what}: p95 frame`, median(ours), 'ms', {
    ...{ ratio, against: 'empty page', note: `median of 4, ${note}` },
    ...{ aim: `≤ ${MAX_RATIO} × an empty page`, ok: 1 / ratio <= MAX_RATIO },
  });
  row(`${what}: frames with blank rows`, blank, 'frames', { aim: '0', ok: blank === 0, note });
  if (unread > 0) row(`${what}: frames with an opened row not read yet`, unread, 'frames', { note });
}

async function openId(app: BenchApp): Promise<string | null> {
  return app.page.locator('.library-item-open').getAttribute('data-id');
}

/** Goes to the small transcript, so that the next start does not open the large one by itself. */
async function leave(app: BenchApp, smallId: string): Promise<void> {
  if ((await openId(app)) !== smallId) await steps.openTranscript(app, smallId, 1);
  await steps.settle(app);
  await app.page.waitForTimeout(600);
  await app.stop();
}
