import { expect } from 'vitest';
import { forEachHost } from './support/forEachHost.ts';

forEachHost('the engine dies while a person works', (journey) => {
  journey('the page hears of it and gets a new engine on the same library when it asks again', async (launch) => {
    const app = await launch();
    await app.page.locator('#root > *').first().waitFor();
    // A second line beside the page's own; it is there once the engine has said hello on it.
    const line = await app.page.evaluateHandle(async () => {
      if (window.parallax === undefined) {
        const headers = { Authorization: `Parallax ${sessionStorage.getItem('parallax.session')}` };
        const { ticket } = await (await fetch('/ticket', { method: 'POST', headers })).json();
        const socket = new WebSocket(`ws://${location.host}/engine?ticket=${ticket}`);
        await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
        return { ended: new Promise<string>((resolve) => socket.addEventListener('close', () => resolve('ended'))) };
      }
      const port = await new Promise<MessagePort | undefined>((resolve) => {
        window.addEventListener('message', (event) => event.data?.id === 'probe' && resolve(event.ports[0]));
        void window.parallax?.connect('probe');
      });
      const hello = new Promise((resolve) => port?.addEventListener('message', resolve, { once: true }));
      port?.start();
      await hello;
      return { ended: new Promise<string>((resolve) => port?.addEventListener('close', () => resolve('ended'))) };
    });
    await app.engineKill();
    expect(await line.evaluate(({ ended }) => ended)).toBe('ended');
    await app.page.reload();
    await app.page.locator('#root > *').first().waitFor();
    await app.page
      .getByRole('button', { name: /import/i })
      .first()
      .waitFor();
  });
});
