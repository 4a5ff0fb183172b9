// @vitest-environment happy-dom
// The one promise of the panes: raw is left, what the model sees is right, and each says what it is.
import { act, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Row } from '../../core/protocol/types.ts';
import { RowCell } from '../../renderer/timeline/RowCell.tsx';
import { RowDetail } from '../../renderer/timeline/RowDetail.tsx';
import { RowLine } from '../../renderer/timeline/RowLine.tsx';
import { makeRow } from '../renderer/support.ts';
import { detailOf } from '../support/detail.ts';
import { draw } from './support.tsx';

const cell = (text: string) => ({ text, mono: false, tokens: 7, tokensProvenance: 'exact' as const });
const REDACTED: Row = makeRow({
  index: 4,
  fate: 'redacted',
  chip: 'stale',
  reason: 'The result is stale.',
  raw: cell('// src/session.ts'),
  projected: cell('[tool result reclaimed]'),
});
const DROPPED: Row = { ...REDACTED, fate: 'dropped', projected: null };
const WRITTEN: Row = makeRow({ kind: 'synthetic', fate: 'synthetic', raw: null, projected: cell('A summary.'), to: 3 });
const FUTURE: Row = makeRow({ index: 9, fate: 'future', projected: null, text: 'later' });

const place = {
  number: 4,
  top: 0,
  isSelected: false,
  isCursor: false,
  isCallPoint: false,
  isOpen: false,
  isSent: true,
  isOnce: true,
};

describe('a row', () => {
  const cells = (row: Row, layout: 'raw' | 'side' | 'model') => {
    const { container } = draw(<RowLine {...place} row={row} layout={layout} />);
    return [...container.querySelectorAll('.cell')].map((one) => one.textContent ?? '');
  };

  it('has raw on the left and what the model sees on the right', () => {
    const [left, right] = cells(REDACTED, 'side');
    expect(left).toContain('// src/session.ts');
    expect(left).not.toContain('reclaimed');
    expect(right).toContain('[tool result reclaimed]');
    expect(right).not.toContain('session.ts');
  });

  it('has the sentence of its outcome as the tooltip of the side the model sees', () => {
    const { container } = draw(<RowLine {...place} row={REDACTED} layout="side" />);
    expect([...container.querySelectorAll('.cell')].map((one) => one.getAttribute('title'))).toEqual([
      null,
      REDACTED.reason,
    ]);
  });

  it('is shown once, across both sides, where it is sent as it is recorded', () => {
    const kept = makeRow({ index: 4, fate: 'kept', raw: cell('hello'), projected: cell('hello') });
    expect(cells(kept, 'side')).toEqual([expect.stringContaining('hello')]);
    const { container } = draw(<RowLine {...place} row={kept} layout="side" isOnce={false} />);
    expect(container.querySelectorAll('.cell')).toHaveLength(2);
  });

  it.each([
    ['words', { projected: cell('hallo') }],
    ['figures', { projected: { ...cell('hello'), tokens: 8 } }],
    ['reason', { chip: 'pinned' }],
    ['fate', { fate: 'rewritten' as const }],
    ['being sent', { projected: null, fate: 'dropped' as const }],
  ])('is shown on both sides where they differ in %s', (_what, over) => {
    const row = makeRow({ index: 4, fate: 'kept', raw: cell('hello'), projected: cell('hello'), ...over });
    expect(cells(row, 'side')).toHaveLength(2);
  });

  it('has one side where one is shown', () => {
    expect(cells(REDACTED, 'raw')).toEqual([expect.stringContaining('// src/session.ts')]);
    expect(cells(REDACTED, 'model')).toEqual([expect.stringContaining('[tool result reclaimed]')]);
  });

  it('has nothing on the left of what a stage wrote, and nothing on the right of what was not sent yet', () => {
    expect(cells(WRITTEN, 'side')).toEqual(['', expect.stringContaining('A summary.')]);
    expect(cells(FUTURE, 'side')).toEqual([expect.stringContaining('later'), '']);
  });
});

describe('the origin of a message', () => {
  const origin = { label: 'hook', title: 'A hook added this, not a person' };
  const tags = (layout: 'raw' | 'side' | 'model') => {
    const { container } = draw(<RowLine {...place} row={{ ...REDACTED, origin }} layout={layout} />);
    return [...container.querySelectorAll('.cell')].map((one) => within(one as HTMLElement).queryByTestId('origin'));
  };

  it('is told once in a row, on the left where both sides are shown', () => {
    expect(tags('side').map((tag) => tag?.textContent ?? null)).toEqual(['hook', null]);
    expect([...tags('raw'), ...tags('model')].map((tag) => tag?.title)).toEqual([origin.title, origin.title]);
  });

  it('is told to those who cannot see it', () => {
    const { container } = draw(<RowLine {...place} row={{ ...REDACTED, origin }} layout="side" />);
    expect(container.querySelector('[role="row"]')?.getAttribute('aria-label')).toContain(', hook, ');
  });
});

describe('a cell', () => {
  it.each([
    ['raw', '// src/session.ts'],
    ['projected', '[tool result reclaimed]'],
  ] as const)('of the %s side shows its own text', (side, text) => {
    const { container } = draw(<RowCell row={REDACTED} side={side} isOnly={false} />);
    expect(container.querySelector('.cell-text')?.textContent).toBe(text);
  });

  it('names the rule on the side where something became of the message, not on the other', () => {
    const raw = draw(<RowCell row={REDACTED} side="raw" isOnly={false} />);
    expect(within(raw.container).queryByText('stale')).toBeNull();
    const projected = draw(<RowCell row={REDACTED} side="projected" isOnly={false} />);
    expect(within(projected.container).getByText('stale')).toBeTruthy();
  });

  it('of a dropped message is a ghost that says so, with no tokens', () => {
    const { container } = draw(<RowCell row={DROPPED} side="projected" isOnly={false} />);
    const ghost = container.querySelector('.cell-ghost');
    expect(ghost?.textContent).toContain('// src/session.ts');
    expect(ghost?.querySelector('.cell-tokens')).toBeNull();
  });
});

describe('an opened row of an image', () => {
  const image = makeRow({ index: 2, partKind: 'image', text: '' });
  const bytes = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  it('shows the image on both sides, from its asset', async () => {
    const { app, container } = draw(<RowDetail row={image} layout="side" />, {
      'projection.detail': () => detailOf({ kind: 'image', text: '', assetIds: ['a1'] }),
      'asset.get': () => ({ mime: 'image/png', base64: bytes, bytes: 8 }),
    });
    await app.actions.open('t1');
    await expect.poll(() => container.querySelectorAll('img').length).toBe(2);
    expect(container.querySelector('img')?.src).toBe(`data:image/png;base64,${bytes}`);
  });

  it('says so where the transcript holds no bytes of it', async () => {
    const { app, container } = draw(<RowDetail row={image} layout="raw" />, {
      'projection.detail': () => detailOf({ kind: 'image', text: '' }),
    });
    await app.actions.open('t1');
    await expect.poll(() => container.textContent).toBe('The transcript has no data for this image.');
  });
});

describe('a row that holds an image', () => {
  const row = makeRow({ index: 2, partKind: 'image', category: 'image', label: 'image', badges: ['image'] });
  /** The first bytes of a PNG of a size. */
  const png = (width: number, height: number) => {
    const head = Buffer.alloc(33);
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(head);
    head.writeUInt32BE(width, 16);
    head.writeUInt32BE(height, 20);
    return head.toString('base64');
  };
  const shown = (base64: string, over = row) =>
    draw(<RowCell row={over} side="raw" isOnly={false} />, {
      'projection.detail': () => detailOf({ kind: over.partKind, text: '', assetIds: ['a1'] }),
      'asset.get': () => ({ mime: 'image/png', base64, bytes: 33 }),
    });

  it.each(['image', 'tool_result'] as const)('shows it small: %s', async (partKind) => {
    const { app, container } = shown(png(800, 600), { ...row, partKind });
    expect(container.querySelectorAll('.row-image')).toHaveLength(1);
    await app.actions.open('t1');
    await expect.poll(() => container.querySelectorAll('.row-image img').length).toBe(1);
  });

  it.each([
    ['one that would take gigabytes', png(60_000, 60_000)],
    ['no image', 'AAAA'],
  ])('never decodes %s', async (_what, base64) => {
    const { app, container, engine } = shown(base64);
    await app.actions.open('t1');
    await expect.poll(() => engine.calls.some(({ method }) => method === 'asset.get')).toBe(true);
    await expect.poll(() => container.querySelectorAll('.row-image img').length).toBe(0);
  });

  it('asks for nothing while it passes, and has none on the other side', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { app, container, engine, unmount } = shown(png(8, 8));
    await app.actions.open('t1');
    unmount();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(engine.calls.filter(({ method }) => method === 'asset.get')).toEqual([]);
    expect(container.querySelector('img')).toBeNull();
    const { container: right } = draw(<RowCell row={row} side="projected" isOnly={false} />);
    expect(right.querySelector('.row-image')).toBeNull();
  });
});

describe('thinking that the provider signed', () => {
  const sealed = makeRow({ category: 'thinking', partKind: 'thinking', label: 'thinking', badges: ['signed'] });
  const word = (row: Row, layout: 'raw' | 'side') => {
    const { container } = draw(<RowLine {...place} row={row} layout={layout} />);
    return [...container.querySelectorAll('[data-testid="thinking-chip"]')].map((chip) => chip.textContent);
  };

  it('says what the request makes of it, once in a row', () => {
    expect(word(sealed, 'side')).toEqual(['signed']);
    const dropped = { ...sealed, fate: 'dropped' as const, projected: null, reason: 'cleared' };
    expect(word(dropped, 'side')).toEqual(['signed, dropped']);
    const byProvider = { ...dropped, reason: 'dropped by the provider (drop_block): #4 was cleared' };
    expect(word(byProvider, 'side')).toEqual(['signed, dropped by provider']);
    expect(word(makeRow({}), 'side')).toEqual([]);
  });
});

describe('thinking that is encrypted', () => {
  const text = 'encrypted, 1.2 kB';
  const sealed = makeRow({ category: 'thinking', partKind: 'opaque', label: 'thinking', text, badges: ['opaque'] });
  const said = (row: Row, layout: 'raw' | 'side' | 'model') =>
    draw(<RowLine {...place} row={row} layout={layout} />).container.textContent ?? '';
  const times = (words: string) => words.match(/encrypted/gi)?.length ?? 0;

  it('says so once in a row, whatever the request makes of it', () => {
    const gone = { ...sealed, fate: 'dropped' as const, projected: null, reason: 'cleared' };
    for (const layout of ['raw', 'model', 'side'] as const) {
      expect(times(said(sealed, layout)), layout).toBe(1);
      // Its text is struck out on the side of the request.
      expect(times(said(gone, layout)), layout).toBe(layout === 'side' ? 2 : 1);
    }
    expect(said(gone, 'side')).toContain('dropped');
  });
});

describe('an opened row that comes into sight again', () => {
  it('is as high as it was until its text is there: rows below it stay where they are', async () => {
    const answers: (() => void)[] = [];
    const row = makeRow({ index: 2, text: 'hello' });
    const open = [{ key: row.key, kind: 'part' as const, index: 2, part: 0, row: row.row, below: 240 }];
    const { app, container, redraw } = draw(null, {
      'projection.detail': () =>
        new Promise((resolve) => answers.push(() => resolve(detailOf({ kind: 'text', text: 'hello' })))),
    });
    await app.actions.open('t1');
    app.store.setState(({ projection }) => ({ projection: { ...projection, open } }));
    redraw(<RowDetail row={row} layout="raw" />);
    const detail = () => container.querySelector<HTMLElement>('.row-detail');
    expect(detail()?.textContent).toBe('Reading…');
    expect(detail()?.style.minHeight).toBe('240px');
    const shown = async () => {
      await act(async () => {
        for (const answer of answers.splice(0)) answer();
      });
      return detail()?.textContent;
    };
    await expect.poll(shown).toBe('hello');
    expect(detail()?.style.minHeight).toBe('');
  });
});
