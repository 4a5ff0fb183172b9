// Sentences of the Harn policies and of pin, checked again.
import { type Claim, type Given, number, unless } from './given.ts';

type Outcome = 'failed' | 'succeeded' | 'open';

// Names of the tools whose calls end so in a turn that is later than a position.
function later(given: Given, position: number, name: string, outcome: Outcome): boolean {
  return given.exchanges.some(
    ({ message, calls }) => message > position && calls.some((call) => call.name === name && call.outcome === outcome),
  );
}

function exchangeOf(given: Given, index: number) {
  const position = given.position(index);
  return given.exchanges.find(
    ({ message, calls }) =>
      message === position || calls.some(({ results }) => results.some((one) => one.message === position)),
  );
}

/** Of clean_tool_repair. */
export const REPAIR: readonly Claim[] = [
  {
    name: 'X failed here, and no later turn has a success of it',
    says: /^kept: (.+) failed here, and no later turn has a success of it$/,
    check([, names = ''], given, index) {
      const exchange = exchangeOf(given, index);
      if (exchange === undefined) return 'it is in no turn with calls';
      const named = names.replace(/ and \d+ more$/, '').split(/, | and /);
      const failed = exchange.calls.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name);
      return unless(
        [named.every((name) => name === 'a tool without a name' || failed.includes(name)), 'it did not fail'],
        [!named.some((name) => later(given, exchange.message, name, 'succeeded')), 'a later turn has'],
      );
    },
  },
  {
    name: 'no call of this turn failed',
    says: /^kept: no call of this turn failed/,
    check: (_, given, index) =>
      unless([exchangeOf(given, index)?.calls.every(({ outcome }) => outcome !== 'failed') === true, 'one did']),
  },
  {
    name: 'another call of this turn failed and succeeded later',
    says: /^kept: another call of this turn failed and succeeded later/,
    check(_, given, index) {
      const exchange = exchangeOf(given, index);
      if (exchange === undefined) return 'it is in no turn with calls';
      const position = given.position(index);
      const own = exchange.calls.filter(({ results }) => results.some((one) => one.message === position));
      const failed = exchange.calls.filter(({ outcome }) => outcome === 'failed');
      return unless(
        [own.every(({ outcome }) => outcome !== 'failed'), 'its own did'],
        [failed.some(({ name }) => name !== null && later(given, exchange.message, name, 'succeeded')), 'none did'],
      );
    },
  },
  {
    name: 'no result answers it here',
    says: /^kept: no result answers it here/,
    check: (_, given, index) =>
      unless([exchangeOf(given, index)?.calls.every(({ outcome }) => outcome === 'open') === true, 'one does']),
  },
  {
    name: 'X failed here and succeeded in a later turn, at #N',
    says: /(\S+) failed here and succeeded in a later turn(?:, at #(\d+))?/,
    check([, name = '', at], given, index) {
      const exchange = exchangeOf(given, index);
      if (exchange === undefined) return 'it is in no turn with calls';
      const success = at === undefined ? undefined : given.position(Number(at));
      const isSuccess = given.exchanges.some(
        ({ message, calls }) =>
          message > exchange.message &&
          calls.some(
            (call) =>
              call.name === name &&
              call.outcome === 'succeeded' &&
              (success === undefined || call.results.some((one) => one.message === success)),
          ),
      );
      const failed = exchange.calls.some((call) => call.name === name && call.outcome === 'failed');
      return unless([failed, 'it did not fail'], [isSuccess, 'it did not succeed there']);
    },
  },
];

/** Of squash_failed_calls. */
export const SQUASH: readonly Claim[] = [
  {
    name: 'N of the M calls of this turn did not fail',
    says: /^kept: (?:the call|(\d+) of the (\d+) calls) of this turn did not fail/,
    check([, some, all], given, index) {
      const calls = exchangeOf(given, index)?.calls ?? [];
      const others = calls.filter(({ outcome }) => outcome !== 'failed').length;
      return unless([
        others === Number(some ?? 1) && calls.length === Number(all ?? 1),
        `${others} of ${calls.length}`,
      ]);
    },
  },
  {
    name: 'every call of this turn failed',
    says: /(?:every call of this turn failed|every one of the \d+ calls of this turn failed|the only call of this turn failed)/,
    check: (_, given, index) =>
      unless([exchangeOf(given, index)?.calls.every(({ outcome }) => outcome === 'failed') === true, 'one did not']),
  },
];

// What its call says is of a result's identifiers: the tool, a path.
function isOfCall(given: Given, index: number, word: string): boolean {
  const position = given.position(index);
  const calls = given.exchanges.flatMap((exchange) => exchange.calls);
  const ids = given.facts(position).parts.map(({ callId }) => callId);
  const isOwn = (one: number) => given.facts(one).parts.some(({ callId }) => callId != null && ids.includes(callId));
  if (
    given.range.some(
      (one) => one < position && isOwn(one) && given.reader.text(one).toLowerCase().includes(word.toLowerCase()),
    )
  )
    return true;
  const own = calls.filter(({ results }) => results.some((one) => one.message === position));
  return own.some(({ message }) => given.reader.text(message).toLowerCase().includes(word.toLowerCase()));
}

/** Of reachability_gc. */
export const GC: readonly Claim[] = [
  {
    name: '`word` is named in #N, within the last M messages',
    says: /^kept: `(.+?)` is named in #(\d+), within the last ([\d,]+) messages? \(root_window\)/,
    check([, word = '', at, window], given, index) {
      const position = given.position(Number(at));
      const words = (one: number) => given.reader.text(one).toLowerCase();
      const holds = (one: number) =>
        words(one).includes(word.toLowerCase()) || words(one).includes(JSON.stringify(word).slice(1, -1).toLowerCase());
      const isEdited = given.reader.item(given.position(index)).text !== undefined;
      return unless(
        [position >= 0 && holds(position), 'it is not'],
        [position >= given.length - number(window), 'it is not within them'],
        [holds(given.position(index)) || isOfCall(given, index, word) || isEdited, 'not in its own'],
      );
    },
  },
  {
    name: 'among the last M messages, from #N on',
    says: /^kept: among the last ([\d,]+) messages? \(root_window\)(?:, from #(\d+) on)?/,
    check([, window, from], given, index) {
      const first = given.range.slice(-number(window)).find((one) => given.reader.indexOf(one) !== null);
      return unless(
        [given.position(index) >= given.length - number(window), 'it is not'],
        [from === undefined || given.position(Number(from)) === first, 'it begins elsewhere'],
      );
    },
  },
  {
    name: 'older than the last M messages, N chars ≥ K',
    says: /^older than the last ([\d,]+) messages? \(root_window\).*?, ([\d,]+) chars ≥ ([\d,]+) \(min_chars\)/,
    check([, window, chars, least], given, index) {
      const position = given.position(index);
      const own = given
        .facts(position)
        .parts.filter(({ kind }) => kind === 'tool_result')
        .map((part) => part.chars);
      return unless(
        [position < given.length - number(window), 'it is not older'],
        [own.includes(number(chars)), `it has ${own}`],
        [number(chars) >= number(least), 'it has fewer'],
      );
    },
  },
  {
    name: 'N characters, fewer than K (min_chars)',
    says: /^kept: ([\d,]+) characters?, fewer than ([\d,]+) \(min_chars\)/,
    check([, chars, least], given, index) {
      const own = given.facts(given.position(index)).parts.filter(({ kind }) => kind === 'tool_result');
      const isOwn = own.some((part) => part.chars === number(chars)) || own.some((part) => part.chars >= number(least));
      return unless([isOwn, 'it has others'], [number(chars) < number(least), 'it has not fewer']);
    },
  },
];

/** Of summary_prefix. */
export const PREFIX: readonly Claim[] = [
  {
    name: 'the last N messages, from #N on',
    says: /^(older than|kept: among) the last ([\d,]+) messages? \(keep_last\)(?:, from #(\d+) on)?/,
    check([, where, keep, from], given, index) {
      const first = given.range.slice(given.length - number(keep)).find((one) => given.reader.indexOf(one) !== null);
      const isAmong = given.position(index) >= given.length - number(keep);
      return unless(
        [isAmong === (where !== 'older than'), 'it is elsewhere'],
        [from === undefined || number(keep) === 0 || given.position(Number(from)) === first, 'it begins elsewhere'],
      );
    },
  },
  {
    name: 'the history has N messages, no more than the M that stay',
    says: /^kept: the history has ([\d,]+) messages?, no more than the ([\d,]+) that stay/,
    check: ([, all, keep], given) =>
      unless([given.length === number(all), `it has ${given.length}`], [number(all) <= number(keep), 'it has more']),
  },
];

/** Of pin. */
export const PIN: readonly Claim[] = [
  {
    name: 'put back with #N, which is pinned',
    says: /^put back with #(\d+), which is pinned: (a result|a call) is not sent/,
    check([, by, what], given, index) {
      const kinds = (one: number) => given.said.source.facts(one).parts.map(({ kind }) => kind);
      const [own, other] = what === 'a result' ? ['tool_call', 'tool_result'] : ['tool_result', 'tool_call'];
      return unless(
        [kinds(index).some((kind) => kind === own), 'it has no such part'],
        [kinds(Number(by)).some((kind) => kind === other), 'the other has no such part'],
      );
    },
  },
  {
    name: 'put back: it is pinned (messages)',
    says: /it is pinned \(messages\)/,
    check: (_, given, index) =>
      unless([given.option<readonly number[]>('messages', []).includes(index), 'it is not named']),
  },
  {
    name: 'it is pinned (kinds: first user message)',
    says: /pinned \(kinds: first user message\)/,
    check: (_, { said: { source } }, index) =>
      unless([[...Array(index).keys()].every((one) => !source.facts(one).beginsTurn), 'another is first']),
  },
  {
    name: 'kept: pinned, and no earlier stage took it',
    says: /^kept: pinned \(messages\), and no earlier stage took it$/,
    check: (_, given, index) =>
      unless(
        [given.option<readonly number[]>('messages', []).includes(index), 'it is not named'],
        [given.reader.text(given.position(index)).length >= given.said.source.text(index).length, 'it is shorter now'],
      ),
  },
];

/** Of recorded_compaction. */
export const RECORDED: readonly Claim[] = [
  {
    name: 'it came after recorded compaction N',
    says: /^kept: it came after recorded (?:compaction|clearing) (\d+)/,
    check: ([, nth], { said: { source } }, index) =>
      unless([index >= (source.compactions()[Number(nth) - 1]?.at ?? 0), 'it came before']),
  },
  {
    name: 'recorded compaction N kept it, dropped it, or put something in its place',
    says: /^(?:dropped by )?recorded compaction (\d+)(?: \([^)]*\))?(?::| put .* in its place| kept it)/,
    check([all, nth], { said: { source, at, after } }, index) {
      const compaction = source.compactions()[Number(nth) - 1];
      const isThere = after.items.some((item) => item.kind === 'source' && item.index === index);
      return unless(
        [compaction !== undefined && compaction.at <= at, 'it is not made yet'],
        [index < (compaction?.at ?? 0), 'it came after'],
        [isThere === all.endsWith('kept it'), 'it is there, or is not'],
      );
    },
  },
  {
    name: 'its body was emptied by recorded clearing N',
    says: /^its body was emptied by recorded (?:compaction|clearing) (\d+)/,
    check([, nth], given, index) {
      const cleared = given.said.source.compactions()[Number(nth) - 1];
      const ids = given.said.source.facts(index).parts.map(({ callId }) => callId ?? '');
      return unless(
        [index < (cleared?.at ?? 0), 'it came after'],
        [ids.some((id) => cleared?.clearedCallIds?.includes(id) === true), 'it is not named'],
      );
    },
  },
  {
    name: 'no compaction is recorded before this call point',
    says: /^kept: no compaction is recorded before this call point$/,
    check: (_, { said: { source, at } }) =>
      unless([source.compactions().every((one) => one.at > at || (one.summaryIndex ?? 0) >= at), 'one is']),
  },
];
