// Sentences of the vendors' stages, counted again, and tried with other options.
import { type Claim, type Given, number, unless } from './given.ts';

const SIZE = '([\\d,]+) tokens?(?: \\(estimated\\))?(?:, ([\\d,]+) of them overhead)?';

function overhead(given: Given): number {
  return given.said.budget?.beside.total ?? 0;
}

// Tool uses in the order of their calls: those that are answered.
function uses(given: Given) {
  return given.exchanges.flatMap(({ calls }) => calls.filter(({ results }) => results.length > 0));
}

function usesAt(given: Given, position: number) {
  const holds = (use: ReturnType<typeof uses>[number]) =>
    use.message === position || use.results.some(({ message }) => message === position);
  return uses(given).flatMap((use, at, all) => (holds(use) ? [all.length - at] : []));
}

/** Of anthropic_clear_tool_uses. */
export const CLEAR_USES: readonly Claim[] = [
  {
    name: 'N tokens > T (trigger); older than the last K tool uses',
    says: /; older than the last ([\d,]+) tool uses? \(keep\)$/,
    check: ([, keep], given, index) =>
      unless([usesAt(given, given.position(index)).some((fromEnd) => fromEnd > number(keep)), 'it is not older']),
  },
  {
    name: 'among the last K tool uses',
    says: /^kept: among the last ([\d,]+) tool uses? \(keep\)$/,
    check: ([, keep], given, index) =>
      unless([usesAt(given, given.position(index)).some((fromEnd) => fromEnd <= number(keep)), 'it is not among']),
  },
  {
    name: 'size and trigger',
    says: new RegExp(`(?:${SIZE}|([\\d,]+) tool uses?)(?: >|, not more than) ([\\d,]+) \\(trigger\\)`),
    check([all, tokens, _beside, count, trigger], given) {
      const size = tokens === undefined ? uses(given).length : given.tokens(0, given.length) + overhead(given);
      return unless(
        [size === number(tokens ?? count), `it is ${size}`],
        [size > number(trigger) === !all.includes('not more'), 'the sign is wrong'],
      );
    },
  },
  {
    name: 'only N could be cleared: fewer than M (clear_at_least)',
    says: /only ([\d,]+) tokens?(?: \(estimated\))? could be cleared: fewer than ([\d,]+) \(clear_at_least\)/,
    check([, could, least], given) {
      const all = given.said.again({ ...given.said.options, clear_at_least: 0 });
      const exact = given.said.again({ ...given.said.options, clear_at_least: number(could) });
      const saved = all?.report.reclaimedTokens ?? -1;
      return unless(
        [saved === number(could), `${saved} are, with 0`],
        [number(could) < number(least), 'it is not fewer'],
        [number(could) === 0 || exact?.report.counts.redacted !== undefined, 'and so many are not cleared'],
      );
    },
  },
];

/** Of anthropic_clear_thinking. */
export const CLEAR_THINKING: readonly Claim[] = [
  {
    name: 'among, or older than the last N assistant turns with thinking',
    says: /(older than|its turn is among) the last ([\d,]+) (?:assistant turns? )with thinking/,
    check([, where, keep], given, index) {
      const thinks = (one: number) => {
        const { role, parts } = given.facts(one);
        return role === 'assistant' && parts.some(({ category }) => category === 'thinking');
      };
      const starts = [0, ...given.allTurns.filter((start) => start > 0)];
      const turns = starts.map((start, at) => ({ start, end: starts[at + 1] ?? given.length }));
      const holding = turns.filter(({ start, end }) => given.range.slice(start, end).some(thinks));
      const own = holding.findIndex(({ start, end }) => given.position(index) >= start && given.position(index) < end);
      const isAmong = own >= holding.length - number(keep);
      return unless([own >= 0, 'its turn has none'], [isAmong === (where !== 'older than'), 'it is elsewhere']);
    },
  },
  {
    name: 'it holds no thinking',
    says: /^kept: it holds no thinking$/,
    check: (_, given, index) =>
      unless([given.facts(given.position(index)).parts.every(({ category }) => category !== 'thinking'), 'it does']),
  },
];

/** Of langchain_clear_tool_uses. */
export const LANGCHAIN_CLEAR: readonly Claim[] = [
  {
    name: 'among, or older than the last N tool results',
    says: /(older than|among) the last ([\d,.]+) (?:tool results?|that fit) \(keep\)/,
    check([, where, keep], given, index) {
      if (given.lateResults || given.repeatsIds) return true;
      const results = given.exchanges.flatMap(({ calls }) => calls.flatMap((call) => call.results));
      const places = [...results].sort((a, b) => a.message - b.message || a.part - b.part);
      const position = given.position(index);
      const ranks = places.flatMap(({ message }, at) => (message === position ? [places.length - at] : []));
      const calls = given.exchanges.filter(({ message }) => message === position).flatMap((one) => one.calls);
      const ofCalls = calls.flatMap((call) => call.results).map((one) => places.length - places.indexOf(one));
      const all = ranks.length > 0 ? ranks : ofCalls;
      const isSo = (rank: number) => (where === 'older than' ? rank > Number(keep) : rank < Number(keep) + 1);
      return unless([all.length === 0 || all.some(isSo), `it is number ${all} from the end`]);
    },
  },
  {
    name: 'the last N that fit',
    says: /the last ([\d,]+) that fit \(keep\)/,
    check([, count], given) {
      if (given.lateResults || given.repeatsIds) return true;
      const results = given.exchanges.flatMap(({ calls }) => calls.flatMap((call) => call.results));
      const places = [...results].sort((a, b) => a.message - b.message || a.part - b.part);
      const unit = given.option<string>('keep_unit', 'messages');
      const window = given.option('window', 0) || (given.said.budget?.window ?? 0);
      const room = unit === 'tokens' ? given.option('keep', 3) : Math.floor(window * given.option('keep', 3));
      const kept = number(count) === 0 ? [] : places.slice(-number(count));
      const held = kept.reduce((sum, { message, part }) => sum + (given.partTokens(message)[part] ?? 0), 0);
      return unless([held <= room, `they take ${held}, and ${room} is the room`]);
    },
  },
  {
    name: 'N messages, T tokens against the trigger',
    says: /([\d,]+) (messages?|tokens?(?: \(estimated\))?) (≥|<) ([\d,]+) \(trigger_(messages|tokens|fraction)\)/,
    check([, value, , sign, limit, what], given) {
      const orphans = given.orphans;
      const isGone = (position: number) =>
        given.facts(position).parts.length > 0 &&
        given.facts(position).parts.every((_, part) => orphans.has(`${position} ${part}`));
      const gone = given.range.filter(isGone).length;
      let tokens = given.tokens(0, given.length);
      for (const place of orphans) {
        const [message = 0, part = 0] = place.split(' ').map(Number);
        tokens -= given.partTokens(message)[part] ?? 0;
      }
      const size = what === 'messages' ? given.length - gone : tokens;
      return unless(
        [size === number(value), `it is ${size}`],
        [size >= number(limit) === (sign === '≥'), 'the sign is wrong'],
      );
    },
  },
];

/** Of langchain_trim_messages. */
export const TRIM: readonly Claim[] = [
  {
    name: 'not among the last N tokens',
    says: /^not among the (last|first) ([\d,]+) tokens \(max_tokens\)(.*)$/,
    check([, side, most, beside], given, index) {
      if (beside !== '') return true;
      const position = given.position(index);
      const held = side === 'last' ? given.tokens(position, given.length) : given.tokens(0, position + 1);
      return unless([held > number(most), `it is: ${held} with it`]);
    },
  },
  {
    name: 'not among the last N tokens, of which the system message takes M',
    says: /^not among the last ([\d,]+) tokens \(max_tokens\), of which the system message takes ([\d,]+) \(include_system\)$/,
    check([, most, own], given, index) {
      const position = given.position(index);
      const system = given.tokens(0, 1);
      const held = system + given.tokens(Math.max(1, position), position === 0 ? 1 : given.length);
      return unless([system === number(own), `it takes ${system}`], [held > number(most), `it is: ${held} with it`]);
    },
  },
  {
    name: 'among the last N tokens',
    says: /^kept: among the (last|first) ([\d,]+) tokens \(max_tokens\)/,
    check([, side, most], given, index) {
      const position = given.position(index);
      const to = given.said.after.items.length === 0 ? given.length : given.lastKept;
      const held = side === 'last' ? given.tokens(position, to + 1) : given.tokens(0, position + 1);
      return unless([held <= number(most), `it is not: ${held} with it`]);
    },
  },
];

/** Of openai_truncation. */
export const TRUNCATION: readonly Claim[] = [
  {
    name: 'from here on the messages fit N tokens',
    says: /^kept: from here on the messages fit ([\d,]+) tokens/,
    check([, room], given, index) {
      const held = given.tokens(given.position(index), given.length);
      return unless([held <= number(room), `they take ${held}`]);
    },
  },
  {
    name: 'the last message stays, though it takes T tokens > N',
    says: /^kept: the last message stays, though it takes ([\d,]+) tokens?( with the instructions)? > ([\d,]+)/,
    check([, tokens, withHead, room], given, index) {
      const held = given.tokens(given.length - 1, given.length);
      const instructions = given.range.findIndex((one) => !['system', 'developer'].includes(given.facts(one).role));
      const all = held + (withHead === undefined ? 0 : given.tokens(0, instructions));
      return unless(
        [given.position(index) === given.length - 1, 'it is not the last'],
        [all === number(tokens), `it takes ${all}`],
        [all > number(room), 'that fits'],
      );
    },
  },
  {
    name: 'T tokens > N (window)',
    says: /^(?:its call was dropped: )?([\d,]+) tokens?(?: \(estimated\))? > ([\d,]+) \(window/,
    check([, tokens, room], given) {
      const held = given.tokens(0, given.length);
      return unless([held === number(tokens), `it is ${held}`], [held > number(room), 'it fits']);
    },
  },
];

/** Of inspect_edit and inspect_trim. */
export const INSPECT: readonly Claim[] = [
  {
    name: 'among the last N tool uses when too large',
    says: /^kept: among the last ([\d,]+) tool uses? \(keep_tool_uses\)/,
    check([, keep], given, index) {
      const excluded = given.option<readonly string[]>('exclude_tools', []);
      const mine = uses(given).filter(({ name }) => name === null || !excluded.includes(name));
      const position = given.position(index);
      const holds = (use: (typeof mine)[number]) =>
        use.message === position || use.results.some(({ message }) => message === position);
      const own = mine.filter(holds);
      const isKept = own.some(({ results }) => results.every((place) => given.isAsGiven(place)));
      // Results of calls that share an id go together.
      if (given.repeatsIds) return true;
      return unless([own.length > 0, 'it belongs to none'], [isKept && number(keep) > 0, 'its use is cleared']);
    },
  },
  {
    name: 'older than the last N tool uses when too large',
    says: /; older than the last ([\d,]+) tool uses? \(keep_tool_uses\)/,
    check([, keep], given, index) {
      const excluded = given.option<readonly string[]>('exclude_tools', []);
      const mine = uses(given).filter(({ name }) => name === null || !excluded.includes(name));
      const position = given.position(index);
      const at = mine.findIndex(
        (use) => use.message === position || use.results.some(({ message }) => message === position),
      );
      return unless([at >= 0 && mine.length - at > number(keep), 'it is not older']);
    },
  },
  {
    name: 'not among the latest P of the messages',
    says: /; not among the latest ([\d.]+) of the messages \(preserve\)$/,
    check([, share], given, index) {
      const behind = given.length - given.position(index) - 1;
      return unless([behind >= Math.floor(Number(share)), `${behind} are behind it`]);
    },
  },
  {
    name: 'its other half was dropped, or never was',
    says: /^its other half was dropped, or never was$/,
    check(_, given, index) {
      const { parts } = given.facts(given.position(index));
      return unless([parts.some(({ kind }) => kind === 'tool_call' || kind === 'tool_result'), 'it has no halves']);
    },
  },
  {
    name: 'it holds nothing that may be cleared',
    says: /^kept: it holds nothing that may be cleared$/,
    check(_, given, index) {
      const excluded = given.option<readonly string[]>('exclude_tools', []);
      const { parts } = given.facts(given.position(index));
      const thinks = parts.some(({ category }) => category === 'thinking');
      const isAll = given.option<string>('keep_thinking', 'turns') === 'all';
      const own = uses(given).filter(({ results }) => results.some(({ message }) => message === given.position(index)));
      return unless(
        [!thinks || isAll, 'it holds reasoning'],
        [own.every(({ name }) => name !== null && excluded.includes(name)), 'it holds a result'],
      );
    },
  },
];

/** Of compactions. */
export const COMPACTION: readonly Claim[] = [
  {
    name: 'no request was larger than N: not > T',
    says: new RegExp(`^kept: no request was larger than ${SIZE}: not (≥|>) ([\\d,]+)`),
    check: ([, highest, , sign, limit]) =>
      unless([sign === '≥' ? number(highest) < number(limit) : number(highest) <= number(limit), 'it was']),
  },
  {
    name: 'the request held N > T',
    says: new RegExp(`held ${SIZE} (≥|>) ([\\d,]+)`),
    check: ([, held, , sign, limit]) =>
      unless([sign === '≥' ? number(held) >= number(limit) : number(held) > number(limit), 'it did not']),
  },
  {
    name: 'a request held N, but nothing comes before what is kept of it',
    says: new RegExp(`^kept: a request held ${SIZE} (≥|>) (-?[\\d,]+).*, but nothing comes before what is kept of it$`),
    check: ([, held, , sign, limit]) =>
      unless([sign === '≥' ? number(held) >= number(limit) : number(held) > number(limit), 'it did not']),
  },
  {
    name: 'among the latest N tokens at the compaction',
    says: /^kept: among the latest ([\d,]+) tokens at the compaction \(keep_recent_tokens\)/,
    check([, tokens], given, index) {
      const beside = given.range.filter((one) => {
        const own = given.reader.indexOf(one);
        return (
          own !== null && /tokens at the compaction|before a tool result/.test(given.said.fates.get(own)?.reason ?? '')
        );
      });
      const held = given.tokens(given.position(index) + 1, (beside.at(-1) ?? 0) + 1);
      return unless([held < number(tokens), `${held} are behind it`]);
    },
  },
  {
    name: 'among the last N messages before the pause',
    says: /^kept: among the last ([\d,]+) messages? before the pause/,
    check([, count], given, index) {
      const behind = given.range.filter((one) => {
        const own = given.reader.indexOf(one);
        return own !== null && /before the pause/.test(given.said.fates.get(own)?.reason ?? '');
      });
      const rank = behind.length - behind.indexOf(given.position(index));
      return unless([rank <= number(count), `it is number ${rank} before it`]);
    },
  },
  {
    name: 'in the last N turns when the summary was asked for',
    says: /^kept: in the last ([\d,]+) turns? when the summary was asked for \(keep_turns\)/,
    check([, count], given, index) {
      const behind = given.range.filter((one) => {
        const own = given.reader.indexOf(one);
        return own !== null && /when the summary was asked for/.test(given.said.fates.get(own)?.reason ?? '');
      });
      const starts = behind.filter((one) => one > given.position(index) && given.facts(one).beginsTurn);
      return unless([starts.length < number(count), `${starts.length} turns begin behind it`]);
    },
  },
  {
    name: 'not answered yet when the summary was asked for',
    says: /^kept: not answered yet when the summary was asked for \(ask_above [\d,]+\)$/,
    check(_, given, index) {
      const behind = given.range.filter((one) => {
        const own = given.reader.indexOf(one);
        return own !== null && /when the summary was asked for/.test(given.said.fates.get(own)?.reason ?? '');
      });
      const answers = behind.filter((one) => one > given.position(index) && given.facts(one).role === 'assistant');
      return unless([answers.length === 0, 'an answer is behind it']);
    },
  },
];

/** Of adk_compaction. */
export const ADK: readonly Claim[] = [
  {
    name: 'no invocation ended with a prompt of N tokens',
    says: /^kept: (?:fewer .*, )?no invocation ended with a prompt of ([\d,]+) tokens? or more \(token_threshold\)/,
    check([, limit], given) {
      const ended = given.invocations.slice(0, -1);
      const prompts = ended.map(({ start, end }) => {
        const answer = given.range.slice(start, end).findLast((one) => given.facts(one).role === 'assistant');
        return given.tokens(0, answer ?? end) + overhead(given);
      });
      return unless([Math.max(0, ...prompts) < number(limit), `one held ${Math.max(...prompts)}`]);
    },
  },
  {
    name: 'fewer than N new invocations complete',
    says: /^kept: fewer than ([\d,]+) new invocations? (?:is|are) complete \(compaction_interval\)/,
    check: ([, interval], given) => unless([given.invocations.length - 1 < number(interval), 'there are more']),
  },
  {
    name: 'a prompt held N tokens, but nothing came before its latest M messages',
    says: /a prompt held ([\d,]+) tokens? ≥ ([\d,]+) \(token_threshold\), but nothing came before its latest ([\d,]+)/,
    check([, held, limit, stay], given) {
      const whole = given.said.again({ ...given.said.options, event_retention_size: 0 });
      return unless(
        [number(held) >= number(limit), 'it did not reach it'],
        [
          (given.invocations.at(-2)?.end ?? given.length) <= number(stay) ||
            Number(whole?.report.meta?.compactions ?? 0) > 0,
          'nor is anything summarised if none has to stay',
        ],
      );
    },
  },
  {
    name: 'it came after the last span, and since then fewer than N complete',
    says: /^kept: it came after the last span, and since then fewer than ([\d,]+) new invocations? (?:is|are) complete/,
    check([, interval], given, index) {
      const first = given.range.find((one) => {
        const own = given.reader.indexOf(one);
        return own !== null && given.said.fates.get(own)?.reason === given.said.fates.get(index)?.reason;
      });
      const turns = given.allTurns.filter((start) => start >= (first ?? 0)).length;
      return unless([turns <= number(interval), `${turns} turns began since`]);
    },
  },
  {
    name: 'among the latest messages when the prompt held N tokens: M stay',
    says: /^kept: among the latest messages when the prompt held ([\d,]+) tokens?: ([\d,]+) stay/,
    check([, , retention], given, index) {
      const same = given.range.filter((one) => {
        const own = given.reader.indexOf(one);
        return own !== null && given.said.fates.get(own)?.reason === given.said.fates.get(index)?.reason;
      });
      const cut = (same.at(-1) ?? 0) + 1 - number(retention);
      const own = given.position(index);
      const call = given.exchanges.find(
        ({ message, calls }) => message < cut && calls.some(({ results }) => results.some((one) => one.message >= cut)),
      );
      return unless([own >= cut || (call !== undefined && own >= call.message), `${cut} is the cut, and ${own} is it`]);
    },
  },
  {
    name: 'with N before them (overlap_size)',
    says: /^([\d,]+) new invocations? ≥ ([\d,]+) \(compaction_interval\) were complete, with ([\d,]+) before them/,
    check([, fresh, interval, before], given) {
      const turns = given.invocations.length;
      return unless(
        [number(fresh) >= number(interval), 'they are fewer'],
        [turns >= number(fresh) + number(before), `${turns} turns are there in all`],
      );
    },
  },
];

// True if a message among the last ones holds a call or a result with one of these ids.
function isSpared(given: Given, position: number, last: number): boolean {
  const idsAt = (one: number) => given.facts(one).parts.flatMap(({ callId }) => (callId == null ? [] : [callId]));
  const own = new Set(idsAt(position));
  return given.range.slice(Math.max(0, given.length - last)).some((one) => idsAt(one).some((id) => own.has(id)));
}

/** Of vercel_prune_messages. */
export const PRUNE: readonly Claim[] = [
  {
    name: 'nothing in the last N messages has to do with it',
    says: /^nothing in the last ([\d,]+) messages? has to do with it/,
    check([, last], given, index) {
      const { parts } = given.facts(given.position(index));
      const tools = parts.filter(({ kind }) => kind === 'tool_call' || kind === 'tool_result');
      const isPlain = tools.length === 1 && typeof tools[0]?.callId === 'string';
      return unless([!isPlain || !isSpared(given, given.position(index), number(last)), 'something has']);
    },
  },
  {
    name: 'the last N messages have to do with its tool call',
    says: /^kept: the last ([\d,]+) messages? (?:has|have) to do with its tool call$/,
    check([, last], given, index) {
      // Without ids a result belongs to a call by its name.
      const isTool = ({ kind }: { readonly kind: string }) => kind === 'tool_call' || kind === 'tool_result';
      const tools = given.range.flatMap((one) => given.facts(one).parts.filter(isTool));
      if (tools.some(({ callId }) => typeof callId !== 'string')) return true;
      return unless([isSpared(given, given.position(index), number(last)), 'none has']);
    },
  },
  {
    name: 'among the last N messages',
    says: /^kept: among the last ([\d,]+) messages?$/,
    check: ([, last], given, index) =>
      unless([given.position(index) >= given.length - number(last), 'it is not among them']),
  },
  {
    name: 'not the last message',
    says: /^not the last message/,
    check: (_, given, index) => unless([given.position(index) < given.length - 1, 'it is the last']),
  },
];
