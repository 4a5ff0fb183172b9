import { expect } from 'vitest';
import { onEachHost } from './support/onEachHost.ts';

// What is tried here is refused, and a browser says so.
const expected = /Content Security Policy|TrustedScript/;

onEachHost('a person starts the app', { expected }, (step) => {
  step('sees its window, with no error', async (app) => {
    expect(await app.page.title()).toContain('Parallax');
    await app.page.locator('#root > *').first().waitFor();
    expect(app.errors()).toEqual([]);
  });

  step('and finds no way for the page to reach Node, other pages or the network', async ({ page }) => {
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
