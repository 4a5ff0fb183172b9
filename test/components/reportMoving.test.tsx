// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { useReportMoving } from '../../renderer/timeline/useReportMoving.ts';
import { draw } from './support.tsx';

it('the engine learns that a person scrolls, once in a while and not with every event, in the open transcript alone', async () => {
  const reports: unknown[] = [];
  let report = () => {};
  const Scroller = () => {
    report = useReportMoving();
    return null;
  };
  const { app } = draw(<Scroller />, {
    'transcript.moving': (params) => {
      reports.push(params);
      return {};
    },
  });
  report();
  await app.actions.open('t1');
  const clock = vi.spyOn(performance, 'now');
  for (let ms = 10_000; ms < 11_000; ms += 16) {
    clock.mockReturnValue(ms);
    report();
  }
  clock.mockRestore();
  await vi.waitFor(() => expect(reports.length).toBeGreaterThan(0));
  expect(reports.length).toBeGreaterThanOrEqual(5);
  expect(reports.length).toBeLessThanOrEqual(7);
  expect(reports).toContainEqual({ id: 't1' });
  expect(new Set(reports.map((one) => JSON.stringify(one))).size).toBe(1);
});
