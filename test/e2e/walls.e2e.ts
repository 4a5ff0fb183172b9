// What a transcript, or a script that got into the page, could try. Tokens, Origin and Host of the web host have their
// own tests (test/hosts), as have the window's preferences and navigation (desktop.e2e.ts).
import { afterAll, expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';
import { command, importFile, openTab, SOON } from './support/person.ts';
import { SELECTORS } from './support/selectors.ts';
import { filesDir } from './support/session.ts';

const files = filesDir();
afterAll(() => files.remove());

const HOSTILE = [
  '<img src=x onerror="window.hacked=1">',
  '<script>window.hacked=2</script>',
  '<svg onload="window.hacked=3"></svg>',
  '[a link](javascript:window.hacked=4)',
].join(' ');
const hostile = files.write(
  'hostile.json',
  JSON.stringify([
    { role: 'user', content: HOSTILE },
    { role: 'assistant', content: `\`\`\`html\n${HOSTILE}\n\`\`\`\n${HOSTILE}` },
  ]),
);

// The refusals are written to the console.
const expected =
  /Content Security Policy|TrustedHTML|TrustedScript|TrustedTypePolicy|violates the following|ERR_BLOCKED|net::ERR|Refused to|WebSocket|CSP/;

/** Directives that a page refused when it tried, from most events of the same try. */
type Tried = Readonly<Record<string, boolean>>;

onEachHost('the page is walled in', { expected }, (step, kind) => {
  step('what a transcript says is text, wherever it is shown', async (app) => {
    const { page } = app;
    await importFile(app, hostile);
    const row = page.locator(SELECTORS.rowOf(1));
    await row.waitFor();
    await row.dblclick();
    await row.locator(SELECTORS.rowDetail).getByText('onerror').first().waitFor();
    for (const tab of ['rendered', 'json', 'diff', 'why']) await openTab(app, tab);
    await command(app, 'Drawer: Rendered');
    await expect.poll(() => page.getByRole('region', { name: 'Details' }).textContent(), SOON).toContain('<svg onload');
    const grown = await page.evaluate(() => ({
      ran: Reflect.get(window, 'hacked') ?? null,
      elements: document.querySelectorAll('[onerror], [onload], a[href^="javascript:"], #root script').length,
    }));
    expect(grown).toEqual({ ran: null, elements: 0 });
  });

  step('no code comes in from outside, from text, or from the page itself', async ({ page }) => {
    const ran = await page.evaluate(async () => {
      const attempt = (make: () => Element) =>
        new Promise<boolean>((resolve) => {
          setTimeout(() => resolve(false), 1_500);
          try {
            const element = make();
            element.addEventListener('load', () => resolve(true));
            element.addEventListener('error', () => resolve(false));
            document.body.append(element);
          } catch {
            resolve(false); // it could not even be made
          }
        });
      const tag = (name: string, attributes: Record<string, string>, text = ''): Element => {
        const element = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
        element.textContent = text;
        return element;
      };
      await Promise.all([
        attempt(() => tag('script', { src: 'https://example.com/x.js' })),
        attempt(() => tag('script', { src: 'data:text/javascript,window.hacked=5' })),
        attempt(() => tag('script', {}, 'window.hacked = 6')),
        attempt(() => tag('div', { onclick: 'window.hacked = 7' })),
      ]);
      document.querySelectorAll<HTMLElement>('div[onclick]').forEach((element) => void element.click());
      return Reflect.get(window, 'hacked') ?? null;
    });
    expect(ran).toBe(null);
  });

  step('text is made markup or an address of code by nobody but the page’s own policies', async ({ page }) => {
    const got = await page.evaluate(() => {
      const refused = (attempt: () => unknown): boolean => {
        try {
          attempt();
          return false;
        } catch (error) {
          return error instanceof TypeError;
        }
      };
      const types: unknown = Reflect.get(globalThis, 'trustedTypes');
      const create = (name: string): unknown =>
        Reflect.apply(Reflect.get(Object(types), 'createPolicy'), types, [
          name,
          { createHTML: (html: string) => html },
        ]);
      const element = document.createElement('div');
      document.body.append(element);
      const tries: Record<string, () => unknown> = {
        innerHTML: () => {
          element.innerHTML = '<img src=x onerror="window.hacked=8">';
        },
        outerHTML: () => {
          element.outerHTML = '<b>x</b>';
        },
        'a style that ends': () => {
          element.innerHTML = '[data-radix-x]{}</style><img src=x>';
        },
        insertAdjacentHTML: () => element.insertAdjacentHTML('beforeend', '<b>x</b>'),
        'document.write': () => document.write('<b>x</b>'),
        parseFromString: () => new DOMParser().parseFromString('<b>x</b>', 'text/html'),
        createContextualFragment: () => document.createRange().createContextualFragment('<b>x</b>'),
        srcdoc: () => {
          document.createElement('iframe').srcdoc = '<b>x</b>';
        },
        'a script’s address': () => {
          document.createElement('script').src = 'https://example.com/x.js';
        },
        'a script’s text': () => {
          document.createElement('script').text = 'window.hacked = 9';
        },
        'a foreign worker': () => new Worker('https://example.com/x.js'),
        'a worker of data': () => new Worker('data:text/javascript,self.close()'),
        'a worker of a blob': () => new Worker(URL.createObjectURL(new Blob(['self.close()']))),
        'a policy of its own': () => create('mine'),
        'a second default policy': () => create('default'),
      };
      return Object.fromEntries(Object.entries(tries).map(([name, attempt]) => [name, refused(attempt)]));
    });
    expect(Object.keys(got)).toHaveLength(15);
    expect(Object.entries(got).filter(([, isRefused]) => !isRefused)).toEqual([]);
  });

  step('nothing goes out, and nothing foreign is framed', async ({ page }) => {
    const reached: Tried = await page.evaluate(async () => {
      const image = new Promise<boolean>((resolve) => {
        const element = new Image();
        element.onload = () => resolve(true);
        element.onerror = () => resolve(false);
        element.src = 'https://example.com/pixel.png';
      });
      const seen = new Set<string>();
      const isFramed = () => !(seen.has('frame-src') || seen.has('child-src'));
      const isPosted = () => !seen.has('form-action');
      const violated = new Promise<void>((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => {
          seen.add(event.effectiveDirective);
          if (!isFramed() && !isPosted()) resolve();
        });
        // Only if one of them is not refused.
        setTimeout(resolve, 15_000);
      });
      const frame = document.createElement('iframe');
      frame.src = 'https://example.com/';
      document.body.append(frame);
      const form = document.createElement('form');
      form.action = 'https://example.com/';
      form.method = 'post';
      document.body.append(form);
      form.submit();
      let socket = true;
      try {
        const opened = new WebSocket('wss://example.com/');
        socket = await new Promise<boolean>((resolve) => {
          opened.onopen = () => resolve(true);
          opened.onerror = () => resolve(false);
        });
      } catch {
        socket = false;
      }
      await violated;
      return { image: await image, socket, framed: isFramed(), posted: isPosted() };
    });
    expect(reached).toEqual({ image: false, socket: false, framed: false, posted: false });
  });

  step('it says so itself: its policy names no foreign place and no unsafe script', async ({ page }) => {
    const policy = await page.evaluate(async () => (await fetch(location.href)).headers.get('Content-Security-Policy'));
    const scripts = /script-src ([^;]*)/.exec(policy ?? '')?.[1] ?? '';
    expect(scripts).toContain("'self'");
    expect(scripts).not.toMatch(/unsafe-inline|unsafe-eval(?!')|https?:|\*/);
    expect(policy).toMatch(/default-src '(self|none)'/);
    expect(policy).not.toMatch(kind === 'web' ? /https:|\*/ : /https?:|\*/);
  });
});
