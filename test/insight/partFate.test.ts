// What became of one part, from the fate of its message, what that says of the part, and how the part stands in the request.
import { expect, it } from 'vitest';
import { partFateIn } from '../../core/insight/partFate.ts';
import type { FateKind } from '../../core/view/types.ts';

type Named = { readonly kind: FateKind; readonly reason: string } | undefined;

const named = (kind: FateKind): Named => ({ kind, reason: 'of the part' });

it.each<readonly [string, FateKind, Named, boolean | null, FateKind, string]>([
  ['it is equal in content, whatever the fate of its message', 'redacted', undefined, true, 'kept', ''],
  ['it has other words', 'redacted', undefined, false, 'redacted', 'of the message'],
  ['an edit is an edit, even if the fate says kept', 'kept', undefined, false, 'rewritten', 'of the message'],
  ['the edit took it out', 'rewritten', undefined, null, 'dropped', 'of the message'],
  ['its message is gone', 'summarised', undefined, null, 'summarised', 'of the message'],
  ['the fate says that it was taken out', 'rewritten', named('dropped'), null, 'dropped', 'of the part'],
  ['the fate says that it was cleared', 'redacted', named('redacted'), false, 'redacted', 'of the part'],
  [
    'a later stage took out what an earlier one cleared',
    'rewritten',
    named('redacted'),
    null,
    'dropped',
    'of the part',
  ],
  ['a later stage put back what an earlier one took out', 'rewritten', named('dropped'), true, 'kept', ''],
])('%s', (_what, kind, ofPart, isSame, expected, reason) => {
  expect(partFateIn({ kind, reason: 'of the message' }, ofPart, isSame)).toEqual({ kind: expected, reason });
});
