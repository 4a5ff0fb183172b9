// A session whose every text, name, path, title and image would run, load, or paint outside its place if any view took
// it for more than text, and what of a page did so.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

export const REMOTE = 'http://parallax.invalid';
export const RUNS = 'document.title=`ran`;window.parallaxRan=1';

export const ZALGO = `tower ${'a\u0301\u0302\u0303\u0304\u0305'.repeat(8)}${'\u0336\u0337\u0308\u0311'.repeat(40)}`;

/** Texts of messages. */
export const HOSTILE_TEXTS: readonly string[] = [
  `<script>${RUNS}</script><img src=x onerror="${RUNS}"><iframe srcdoc="<script>parent.${RUNS}</script>"></iframe>`,
  `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUNS}"><image href="${REMOTE}/svg.png"/></svg>`,
  `<style>@import url(${REMOTE}/a.css); body{display:none} *{position:fixed!important}</style>`,
  `[a](javascript:${RUNS}) [b](data:text/html,x) ![c](${REMOTE}/c.png) ![d](javascript:${RUNS}) <${REMOTE}/auto>`,
  `![e](data:image/svg+xml,<svg onload="${RUNS}"/>)\n\n[f]: ${REMOTE}/f.png\n\n![f] [g](file:///etc/passwd)`,
  `\u001b[2J\u001b[50A\u001b[200C moved \u001b]8;;javascript:${RUNS}\u0007link\u001b]8;;\u0007 \u009b31m`,
  `a\u202ereversed\u202c \u2066isolated\u2069 zero\u200bwidth\ufeff \u05d0\u05d1\u05d2 \u0639\u0631\u0628\u064a`,
  ZALGO,
  'w'.repeat(100_000),
  `| ${'head | '.repeat(60)}\n| ${'--- | '.repeat(60)}\n${`| ${'cell | '.repeat(60)}\n`.repeat(40)}`,
  `${Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- level ${depth}`).join('\n')}`,
  `${'> '.repeat(120)}quoted`,
  `\`\`\`html\n<script>${RUNS}</script>\n\`\`\`\n\n$$\\href{javascript:${RUNS}}{x}$$`,
  `${'['.repeat(3_000)}1${']'.repeat(3_000)}`,
];

/** A name that holds all of it, for tools, files, models and titles; `n` tells one from the next. */
export function hostileName(n: number | string): string {
  const markup = `<img src=x onerror="${RUNS}"><svg/onload=${RUNS}>`;
  return `${n}${markup}[l](javascript:${RUNS})![i](${REMOTE}/${n}.png)\u202egnp.\u202c\u200b\u001b[31m${ZALGO}${'W'.repeat(300)}`;
}

/** A PNG of 1 × 1 pixel. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="${RUNS}"><script>${RUNS}</script><image href="${REMOTE}/i.png"/></svg>`;

/** Image blocks that say one thing and hold another, or would load. */
function images(): readonly unknown[] {
  const image = (media_type: string, data: string) => ({ type: 'image', source: { type: 'base64', media_type, data } });
  const svg = Buffer.from(SVG).toString('base64');
  return [
    image('image/png', DOT),
    image('image/svg+xml', svg),
    image('image/png', svg),
    image(`image/png" onerror="${RUNS}`, DOT),
    image(`text/html;,<script>${RUNS}</script>`, DOT),
    image('image/png', bomb()),
    image('image/png', `${DOT}"><script>${RUNS}</script>`),
    { type: 'image', source: { type: 'url', url: `${REMOTE}/remote.png` } },
    { type: 'image', source: { type: 'url', url: `javascript:${RUNS}` } },
    { type: 'image', source: { type: 'url', url: 'file:///etc/passwd' } },
  ];
}

/** A PNG whose header says 65,000 × 65,000 pixels. */
function bomb(): string {
  const bytes = Buffer.from(DOT, 'base64');
  bytes.writeUInt32BE(65_000, 16);
  bytes.writeUInt32BE(65_000, 20);
  return bytes.toString('base64');
}

const START = Date.UTC(2026, 1, 3, 10);

/** The lines of a session as Claude Code writes it. */
export function hostileSession(): string {
  const records: unknown[] = [{ type: 'summary', summary: `title ${hostileName('t')}`, leafUuid: 'last' }];
  const own = {
    cwd: `/home/${hostileName('project')}`,
    sessionId: 'hostile-1',
    version: hostileName('v'),
    gitBranch: hostileName('branch'),
    isSidechain: false,
    userType: 'external',
  };
  let parent: string | null = null;
  const add = (type: 'user' | 'assistant', message: Record<string, unknown>): void => {
    const uuid = `u${records.length}`;
    const timestamp = new Date(START + records.length * 7_000).toISOString();
    records.push({ ...own, type, uuid, parentUuid: parent, timestamp, requestId: `req-${records.length}`, message });
    parent = uuid;
  };
  const usage = {
    input_tokens: 4_000,
    cache_read_input_tokens: 900,
    cache_creation_input_tokens: 50,
    output_tokens: 40,
  };
  const answer = (content: unknown) =>
    add('assistant', {
      ...{
        id: `msg-${records.length}`,
        type: 'message',
        role: 'assistant',
        model: `claude-opus-4-5${hostileName('m')}`,
      },
      ...{ stop_reason: hostileName('stop'), usage, content },
    });
  const tools = ['Bash', 'Edit', 'Read', 'TodoWrite', 'Grep', 'WebFetch', 'Task', hostileName('tool')];
  add('user', { role: 'user', content: `needle ${hostileName('prompt')}` });
  HOSTILE_TEXTS.forEach((text, at) => {
    const id = `toolu_${at}`;
    answer([
      { type: 'thinking', thinking: text, signature: '' },
      { type: 'text', text },
      { type: 'tool_use', id, name: tools[at % tools.length], input: argumentsOf(text, at) },
    ]);
    const inner = at % 3 === 0 ? [{ type: 'text', text }, ...images().slice(0, 2)] : text;
    add('user', {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: inner, is_error: at % 5 === 4 }],
    });
    add('user', { role: 'user', content: `needle again ${text}` });
  });
  add('user', { role: 'user', content: [{ type: 'text', text: 'images' }, ...images()] });
  answer([{ type: 'text', text: `The end of ${hostileName('file')}.ts` }]);
  records.push({ type: hostileName('event'), [hostileName('key')]: hostileName('value') });
  return `${records.map((record) => `${JSON.stringify(record)}\n`).join('')}{"type":"${'x'.repeat(400)}<script>\n`;
}

function argumentsOf(text: string, at: number): Record<string, unknown> {
  const path = `src/${hostileName('file')}.ts`;
  return {
    ...{
      command: text,
      description: hostileName('what'),
      file_path: path,
      old_string: `old ${text}`,
      new_string: text,
    },
    ...{ pattern: text, path, url: `javascript:${RUNS}`, prompt: text, subagent_type: hostileName('agent') },
    todos: [{ content: text, status: 'pending', activeForm: text }],
    [hostileName(at)]: { [hostileName('inner')]: text },
  };
}

/** The same as a chat, for a second transcript; each text as a question, a call, its result and an answer. */
export function hostileChat(): string {
  const messages = HOSTILE_TEXTS.flatMap((text, at) => {
    const id = `call_${at}`;
    const name = ['shell', 'apply_patch', 'read_file', 'todo_write'][at % 4] ?? 'shell';
    const call = { id, type: 'function', function: { name, arguments: JSON.stringify({ command: text, path: text }) } };
    return [
      { role: 'user', content: text },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: text },
      { role: 'assistant', content: text },
    ];
  });
  return JSON.stringify(messages);
}

/** Writes hostile files into a folder of their own; their names are hostile, too. */
export function hostileDir(): {
  readonly session: string;
  readonly chat: string;
  readonly rules: string;
  remove(): void;
} {
  const dir = mkdtempSync(join(tmpdir(), 'parallax-rendering-'));
  // The desktop may run as somebody else.
  chmodSync(dir, 0o755);
  const name = `${'long-name-'.repeat(18)}<img src=x onerror=x>\u202egnp.`;
  const write = (end: string, text: string): string => {
    const path = join(dir, end);
    writeFileSync(path, text);
    return path;
  };
  const rules = ['watch', 'text'].map((kind) => `  - ${kind}: ${JSON.stringify(hostileName(kind))}\n`).join('');
  return {
    session: write(`${name}.jsonl`, hostileSession()),
    chat: write(`chat ${name}.json`, hostileChat()),
    rules: write('hostile.rules.yaml', `version: 1\nrules:\n${rules}  - watch: needle\n  - tokens: 1\n`),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** Adds to `left` what leaves: requests beyond the app's own origin, windows, dialogs and navigations. */
export function watchLeaving(page: Page, left: string[]): void {
  const isOwn = (url: string) =>
    /^(https?:\/\/127\.0\.0\.1[:/]|wss?:\/\/127\.0\.0\.1[:/]|parallax:|devtools:|file:)/.test(url);
  // What is in the page already: image data of the allowed kinds, and the editor's own fonts.
  const isInside = (url: string) =>
    /^(blob:|data:(image\/(png|jpeg|gif|webp|avif|bmp)[;,]|font\/|application\/))/.test(url);
  page.context().on('request', (request) => {
    if (!isOwn(request.url()) && !isInside(request.url())) left.push(request.url().slice(0, 200));
  });
  page.on('websocket', (socket) => {
    if (!isOwn(socket.url())) left.push(socket.url());
  });
  page.on('popup', (popup) => left.push(`window ${popup.url()}`));
  page.on('dialog', (dialog) => left.push(`dialog ${dialog.message()}`));
  page.on('framenavigated', (frame) => {
    if (!isOwn(frame.url())) left.push(`frame ${frame.url()}`);
  });
}

/** Counts what the content policy refuses: nothing of a transcript may as much as try. */
export async function watchRefusals(page: Page): Promise<void> {
  await page.evaluate(() => {
    const refused: string[] = [];
    Reflect.set(window, 'parallaxRefused', refused);
    document.addEventListener('securitypolicyviolation', (event) =>
      refused.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    );
  });
}

/** Boxes that keep what is drawn in them. */
const PLACES = [
  ...['[data-testid="row"]', '.drawer', '[role="dialog"]', '.popover', '[role="menu"]', '[role="tooltip"]'],
  ...[
    '.library',
    '.workspace',
    '[data-testid="policy-panel"]',
    '[data-testid="status"]',
    '[data-testid="toast"]',
    'header',
  ],
].join(',');

/** What of the page went beyond text: what ran, what may load, and what paints outside the box it is in. */
export function escapes(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    ({ remote, places }) => {
      const found: string[] = [];
      if ('parallaxRan' in window || document.title === 'ran') found.push('a script ran');
      for (const one of (Reflect.get(window, 'parallaxRefused') as readonly string[] | undefined) ?? [])
        found.push(`refused: ${one}`);
      if (document.documentElement.scrollWidth > innerWidth) found.push('the page scrolls sideways');
      if (document.documentElement.scrollHeight > innerHeight) found.push('the page scrolls');
      const isEditor = (one: Element) => one.closest('.monaco-editor, .monaco-aria-container') !== null;
      for (const one of document.querySelectorAll(
        'body :is(script:not([type="text/plain"]), iframe, object, embed, style, base, link, meta, form[action])',
      )) {
        // The page of a report brings its own program.
        const isPage = one.parentElement === document.body && document.querySelector('[data-testid="page"]') !== null;
        if (!isEditor(one) && !isPage && !one.hasAttribute('data-own')) found.push(`an element ${one.tagName}`);
      }
      for (const one of document.querySelectorAll('body *')) {
        for (const { name, value } of one.attributes) {
          if (/^on/i.test(name)) found.push(`${one.tagName} ${name}`);
          if (!/^(href|src|srcset|action|formaction|data|poster|xlink:href|srcdoc)$/.test(name)) continue;
          const isLink = name === 'href' || name === 'xlink:href' || name === 'action' || name === 'formaction';
          if (/^\s*(javascript|vbscript|file):/i.test(value) || (isLink && /^\s*data:/i.test(value)))
            found.push(`${one.tagName} ${name}`);
          if (/^\s*data:(?!image\/(png|jpeg|gif|webp|avif|bmp);base64,)/i.test(value))
            found.push(`${one.tagName} ${name}: data`);
          if (value.includes(remote)) found.push(`${one.tagName} ${name} loads`);
        }
        if (/url\(\s*["']?\s*(https?:|\/\/)/.test(one.getAttribute('style') ?? ''))
          found.push(`${one.tagName} style loads`);
      }
      const named = (one: Element) => `${one.tagName} .${one.getAttribute('class')}`;
      const turns = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
      for (const one of document.querySelectorAll('body *')) {
        if (isEditor(one) || one.matches('script')) continue;
        const says = [...one.childNodes].some((node) => node.nodeType === 3 && turns.test(node.nodeValue ?? ''));
        if (says) found.push(`${named(one)} in ${named(one.parentElement ?? one)} turns what follows`);
      }
      const marks = /\p{M}{12}/u;
      const LAYERS = '[role="dialog"], .popover, [role="menu"], [role="tooltip"]';
      // Each is asked for once, however many boxes are around it: nothing changes while the page is looked at.
      const known = new Map<Element, ReturnType<typeof readBox>>();
      const readBox = (one: Element) => {
        const { overflowX, overflowY, contain } = getComputedStyle(one);
        return {
          edge: one.getBoundingClientRect(),
          clipsX: overflowX !== 'visible',
          clipsY: overflowY !== 'visible',
          contains: /paint|strict|content/.test(contain),
          isPlace: one.matches(places),
          // Marks that pile up paint far above and below their own box.
          isPiled: [...one.childNodes].some((node) => node.nodeType === 3 && marks.test(node.nodeValue ?? '')),
        };
      };
      const boxOf = (one: Element) => {
        const box = known.get(one) ?? readBox(one);
        known.set(one, box);
        return box;
      };
      interface Around {
        readonly edge: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
        readonly isClipped: boolean;
        /** The nearest place: a layer of its own is a place of its own. */
        readonly place: Element;
      }
      /** What is around the children of an element: it clips them across, down, or not. */
      const within = (one: Element, around: Around): Around => {
        const { edge, clipsX, clipsY, contains, isPlace } = boxOf(one);
        const left = clipsX ? Math.max(around.edge.left, edge.left) : around.edge.left;
        const right = clipsX ? Math.min(around.edge.right, edge.right) : around.edge.right;
        const top = clipsY ? Math.max(around.edge.top, edge.top) : around.edge.top;
        const bottom = clipsY ? Math.min(around.edge.bottom, edge.bottom) : around.edge.bottom;
        return {
          edge: { left, right, top, bottom },
          isClipped: around.isClipped || clipsY || contains,
          place: isPlace ? one : around.place,
        };
      };
      const look = (inner: Element, box: Element, outer: DOMRect, around: Around): void => {
        if (isEditor(inner)) return;
        const own = boxOf(inner);
        const place = own.isPlace ? inner : around.place;
        const isSeen = own.edge.width !== 0 && own.edge.height !== 0;
        if (isSeen && (place === box || !place.matches(LAYERS))) {
          const left = Math.max(own.edge.left, around.edge.left);
          const right = Math.min(own.edge.right, around.edge.right);
          const top = Math.max(own.edge.top, around.edge.top);
          const bottom = Math.min(own.edge.bottom, around.edge.bottom);
          if (right > left && bottom > top) {
            if (left < outer.left - 1 || right > outer.right + 1 || top < outer.top - 1 || bottom > outer.bottom + 1)
              found.push(`${named(inner)} paints outside ${named(box)}`);
            const isClipped = around.isClipped || own.clipsY || own.contains;
            if (own.isPiled && !isClipped) found.push(`${named(inner)} piles marks over ${named(box)}`);
          }
        }
        const inside = within(inner, around);
        for (const child of inner.children) look(child, box, outer, inside);
      };
      const everywhere = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
      for (const box of document.querySelectorAll(places)) {
        if (isEditor(box)) continue;
        const outer = boxOf(box).edge;
        if (outer.width === 0 || outer.height === 0) continue;
        if (box.matches(`${LAYERS}, [data-testid="toast"]`)) {
          const isIn =
            outer.left >= -1 && outer.top >= -1 && outer.right <= innerWidth + 1 && outer.bottom <= innerHeight + 1;
          if (!isIn) found.push(`${named(box)} reaches beyond the window`);
        }
        const inside = within(box, { edge: everywhere, isClipped: false, place: box });
        for (const child of box.children) look(child, box, outer, inside);
      }
      return [...new Set(found)];
    },
    { remote: REMOTE, places: PLACES },
  );
}
