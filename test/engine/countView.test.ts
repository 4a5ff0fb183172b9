// Counting the edits of a view in pieces comes to an end however few edits can be held at once, and reads each once.
import { expect, it } from 'vitest';
import { type Edit, EditReader } from '../../core/engine/session/edits.ts';
import { LoadedTokens } from '../../core/engine/session/loadedTokens.ts';
import { OverheadTokens } from '../../core/engine/session/overheadTokens.ts';
import type { BulkSource, EditedItem } from '../../core/engine/session/prefixHasher.ts';
import { Tokenizing } from '../../core/engine/session/tokenizing.ts';
import { type CountedSource, TokenTable } from '../../core/engine/session/tokenTable.ts';
import { memorySource } from '../../core/model/memorySource.ts';
import type { View } from '../../core/view/types.ts';

const NO_SOURCE: BulkSource = { ...memorySource([]), texts: () => [] };

const NOTHING: CountedSource = {
  length: 0,
  facts: NO_SOURCE.facts,
  partPrefix: () => Uint32Array.of(0),
  digest: () => ({ roles: new Uint8Array(0), sizes: new Uint32Array(0), cacheMarks: new Map() }),
  tokenCounts: () => null,
  refreshTokens: () => {},
};

/** Forgets every edit at once. */
class ForgetfulReader extends EditReader {
  reads = 0;

  override read(item: EditedItem): Edit {
    this.reads++;
    return new EditReader(NO_SOURCE).read(item);
  }
}

const view: View = {
  items: Array.from({ length: 500 }, (_, at) => ({
    kind: 'synthetic',
    text: JSON.stringify({ role: 'user', content: 'word '.repeat(40 + at) }),
    covers: { from: 0, to: 0 },
    stage: 0,
  })),
};

function tokenizingOf(edits: EditReader): Tokenizing {
  const tokenizing = new Tokenizing(new TokenTable(NOTHING, 'o200k_base', 'openai'), edits, 'openai', {
    label: 'exact',
    exact: true,
    loaded: new LoadedTokens({ ...NO_SOURCE, row: () => ({ meta: {} }) }, 1),
    beside: new OverheadTokens(
      { row: () => ({ meta: { format: 'none' } }), overheadCounts: () => null },
      'o200k_base',
      'openai',
    ),
  });
  tokenizing.use({ id: 'o200k_base', exact: true, count: (text) => text.split(' ').length - 1 });
  return tokenizing;
}

it('counts each edit once, and knows the sum afterwards', () => {
  const edits = new ForgetfulReader(NO_SOURCE);
  const tokenizing = tokenizingOf(edits);
  expect(tokenizing.viewFigure(view, { chars: 1_000 })).toMatchObject({ counted: false });
  edits.reads = 0;
  const steps = tokenizing.countView(view, 1_000);
  let pieces = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pieces++;
  expect(step.value).toBe(true);
  expect(edits.reads).toBe(view.items.length);
  expect(pieces).toBeGreaterThan(100);
  const words = view.items.reduce((sum, _, at) => sum + 40 + at, 0);
  expect(tokenizing.viewFigure(view, { chars: 0 })).toMatchObject({ counted: true, figure: { total: words } });
  expect(edits.reads).toBe(view.items.length);
});

it('counts an edit of many parts that are longer together than one piece, part by part', () => {
  const parts = Array.from({ length: 23 }, () => ({ type: 'text', text: 'word '.repeat(100) }));
  const long: View = {
    items: [
      {
        kind: 'synthetic',
        text: JSON.stringify({ role: 'user', content: parts }),
        covers: { from: 0, to: 0 },
        stage: 0,
      },
    ],
  };
  const tokenizing = tokenizingOf(new EditReader(NO_SOURCE));
  expect(tokenizing.viewFigure(long, { chars: 1_000 })).toMatchObject({ counted: false });
  const steps = tokenizing.countView(long, 1_000);
  let pieces = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pieces++;
  expect(step.value).toBe(true);
  expect(pieces).toBeGreaterThan(5);
  expect(tokenizing.viewFigure(long, { chars: 0 })).toMatchObject({ counted: true, figure: { total: 2_300 } });
});
