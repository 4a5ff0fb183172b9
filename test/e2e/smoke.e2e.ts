import { expect } from 'vitest';
import { forEachHost } from './support/forEachHost.ts';

forEachHost('a person starts the app', (journey) => {
  journey('sees its window, with no error', async (launch) => {
    const app = await launch();
    expect(await app.page.title()).toContain('Parallax');
    await app.page.locator('#root > *').first().waitFor();
    expect(app.errors()).toEqual([]);
  });

  journey('and finds no way for the page to reach Node, other pages or the network', async (launch) => {
    const { page } = await launch();
    const reach = await page.evaluate(async () => ({
      node: [typeof Reflect.get(window, 'require'), typeof Reflect.get(window, 'process')],
      // In a task of the page's own: what the test driver evaluates itself is exempt from the policy.
      evaluated: await new Promise((resolve) => {
        setTimeout(() => {
          try {
            resolve(new Function('return true')());
          } catch {
            resolve(false);
          }
        });
      }),
      opened: window.open('https://example.com/') !== null && !location.protocol.startsWith('http'),
      fetched: await fetch('https://example.com/').then(
        () => true,
        () => false,
      ),
    }));
    expect(reach).toEqual({ node: ['undefined', 'undefined'], evaluated: false, opened: false, fetched: false });
  });
});
