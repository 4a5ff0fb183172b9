// Short sentences that several stages say: that an option is off, or that a message holds nothing they look for.
import type { MessageFacts } from '../../../core/model/message.ts';
import { type Claim, type Given, number, unless } from './given.ts';

const factsOf = (given: Given, index: number): MessageFacts => given.facts(given.position(index));
const holds = (facts: MessageFacts, kind: string) => facts.parts.some((part) => part.kind === kind);
const isInstruction = ({ role }: MessageFacts) => role === 'system' || role === 'developer';

// True for messages before the first that is no instruction.
function isLeading(given: Given, index: number): boolean {
  return given.range.slice(0, given.position(index) + 1).every((one) => isInstruction(given.facts(one)));
}

const isOff = (value: unknown) => value === undefined || value === null || value === 0;

const WINDOW_UNKNOWN: Claim = {
  name: 'the context window is not known',
  says: /^kept: (?:the context window is not known|no summary: no window is known)/,
  check: (_, given) => unless([given.said.budget === null && isOff(given.said.options.window), 'it is']),
};

const INSTRUCTIONS: Claim = {
  name: 'instructions',
  says: /^kept: (?:instructions are separate from the conversation|leading instructions are not dropped|the system prompt stays before the summary)$/,
  check: (_, given, index) => unless([isLeading(given, index), 'it is none']),
};

const ALWAYS: Claim = {
  name: 'true whatever the message is',
  says: /^kept: (?:raw passes every message on as it is|injection only adds|truncation is disabled|no trigger is set \(trigger_tokens 0, and no other\)|it is not pinned)$/,
  check: (_, given, index) =>
    unless([given.said.after.items.some((item) => item.kind === 'source' && item.index === index), 'it is gone']),
};

const SINCE: Claim = {
  name: 'it came after the compaction at the request before #N',
  says: /^kept: it came after the compaction at the (?:next request|request before #(\d+))/,
  check: ([, at], _, index) => unless([at === undefined || index >= Number(at), 'it came before']),
};

const NO_CALL: Claim = {
  name: 'it holds no tool call and no result',
  says: /^kept: it holds no tool (call and no result of one|result)/,
  check([, what], given, index) {
    const facts = factsOf(given, index);
    return unless([!holds(facts, 'tool_result') && (what === 'result' || !holds(facts, 'tool_call')), 'it does']);
  },
};

const STRAY: Claim = {
  name: 'its result answers no call of the turn before it',
  says: /^(?:kept: its result answers no call of the turn before it|no earlier call asked for this result)$/,
  check(_, given, index) {
    const position = given.position(index);
    const answered = given.exchanges.flatMap(({ calls }) => calls.flatMap(({ results }) => results));
    const isAll = answered.filter(({ message }) => message === position).length;
    const own = given.facts(position).parts.filter(({ kind }) => kind === 'tool_result').length;
    return unless([own > isAll, 'it holds none, or each does']);
  },
};

const REFUSED: Claim = {
  name: 'refused as a whole: #N carries signed reasoning',
  says: /^\w+ would (?:remove|edit) this message, but was refused as a whole: #(\d+) carries signed reasoning/,
  check: ([, at], given) =>
    unless([
      given.said.source.facts(Number(at)).signed ||
        /"signature"|thought_?signature|encrypted/i.test(given.said.source.text(Number(at))),
      'it does not',
    ]),
};

/** Of every kind of stage. */
export const COMMON: readonly Claim[] = [WINDOW_UNKNOWN, INSTRUCTIONS, ALWAYS, SINCE, NO_CALL, STRAY, REFUSED];

function textLeft(given: Given, index: number): string | null {
  return given.left(index);
}

function lastAnswer(given: Given, start: number, end: number): number {
  return given.range.slice(start, end).findLast((one) => given.facts(one).role === 'assistant') ?? end;
}

/** Sentences by kind of stage that the other files have no check for. */
export const REST: Readonly<Record<string, readonly Claim[]>> = {
  tier_caps: [
    {
      name: 'holds nothing of the capped tiers',
      says: /^kept: holds nothing of the capped tiers \((.+)\)$/,
      check([, tiers = ''], given, index) {
        const { parts } = factsOf(given, index);
        const counts = given.partTokens(given.position(index));
        const held = parts.filter(
          ({ category }, at) => tiers.split(', ').includes(String(category)) && (counts[at] ?? 0) > 0,
        );
        return unless([held.length === 0, `it holds ${held.map(({ category }) => category)}`]);
      },
    },
    {
      name: 'is next to signed reasoning',
      says: /^kept: is next to signed reasoning, which an edit would void \(/,
      check: (_, given, index) => unless([factsOf(given, index).signed, 'it is not']),
    },
    {
      name: 'no cap is set',
      says: /^kept: no cap on images, thinking or calls is set$/,
      check(_, given) {
        const caps = Object.keys(given.said.budget?.caps ?? {});
        return unless([!['image', 'thinking', 'tool_call'].some((tier) => caps.includes(tier)), 'one is']);
      },
    },
  ],
  tool_result_retention: [
    {
      name: 'holds no tool result',
      says: /^kept: holds no tool result$/,
      check: (_, given, index) => unless([!holds(factsOf(given, index), 'tool_result'), 'it does']),
    },
    {
      name: 'results never expire',
      says: /^kept: results never expire \(mode never\)$/,
      check: (_, given) => unless([given.said.options.mode === 'never', 'they do']),
    },
    {
      name: 'as of the turn at which it acted last',
      says: /^(?:expired: ([\d,]+) ≥ ([\d,]+)|kept: (?:younger|fewer) than ([\d,]+)) .*?(?: \(([\d,]+)\))?, as of turn ([\d,]+)(?:;|$)/,
      check([, age, least, most, own, acted], given) {
        const { source, at } = given.said;
        const turns = [...Array(at).keys()].filter((one) => source.facts(one).beginsTurn).length;
        return unless(
          [number(acted) === turns - (turns % given.option('every', 1)), `it acted at another`],
          [age === undefined || number(age) >= number(least), 'it is younger'],
          [most === undefined || number(own) < number(most), 'it is older'],
        );
      },
    },
    {
      name: 'later results of unknown calls, or of a tool with spaces in its name',
      says: /later results? of (?:unknown calls|.* .*)/,
      check: () => true,
    },
    {
      name: 'expired before, or without a body',
      says: /kept: expired before, or without a body; nothing is left to take/,
      check: (_, given, index) => unless([holds(factsOf(given, index), 'tool_result'), 'it holds no result']),
    },
  ],
  summary: [
    {
      name: 'the recorded or written summary ends before it, or is it',
      says: /^kept: the .*summary.* of #?(\d+)–#?(\d+)(?: (ends before it|ends between a call and its result)|; (it replaces the messages before it))$/,
      check([, , to, before, own], _, index) {
        if (own !== undefined) return unless([index <= Number(to) + 1, 'it is far behind']);
        return before === 'ends before it' ? unless([index > Number(to), 'it does not']) : true;
      },
    },
  ],
  reachability_gc: [
    {
      name: '`word` is named in roots',
      says: /^kept: `(.+?)` is named in (roots|active_plan|scratchpad|pending_tool_args|unresolved_findings|write_barrier)/,
      check([, word = '', option = ''], given) {
        const named = JSON.stringify(given.said.options[option] ?? '').toLowerCase();
        return unless([named.includes(word.toLowerCase()), 'it is not']);
      },
    },
    {
      name: 'error results stay',
      says: /^kept: error results stay$/,
      check: (_, given, index) =>
        unless([factsOf(given, index).parts.some(({ isError }) => isError === true), 'it is none']),
    },
    {
      name: 'it has no body, or none that a pointer can name',
      says: /^kept: (it has no body in the transcript|no pointer can name its body, .*)$/,
      check([, what], given, index) {
        const { parts } = given.said.source.facts(index);
        const own = parts.filter(({ kind }) => kind === 'tool_result');
        const isEmpty = own.some(({ chars }) => chars === 0);
        return unless([isEmpty === (what === 'it has no body in the transcript'), 'it is the other']);
      },
    },
    {
      name: 'no write barrier was given',
      says: /^kept: no write barrier was given/,
      check: (_, given) =>
        unless([
          given.said.options.require_write_barrier === true && isOff(given.said.options.write_barrier),
          'one was',
        ]),
    },
    {
      name: 'no message is a root',
      says: /^no message is a root \(root_window 0\)/,
      check: (_, given) => unless([given.option<number>('root_window', 8) === 0, 'some are']),
    },
  ],
  pin: [
    {
      name: 'pinned by kind or text',
      says: /^(?:kept: )?(?:put back|pinned \((kinds|texts)(?:: (?:all user messages|instruction files|“(.+)”))?\))/,
      check: ([, , text], given, index) =>
        unless([
          text === undefined || given.said.source.text(index).toLowerCase().includes(text.toLowerCase()),
          'no such text',
        ]),
    },
  ],
  recorded_compaction: [
    {
      name: 'no compaction says what it kept; what is off was not read',
      says: /^kept: no compaction before this call point says what it kept(?:; (summaries|replacements|summaries and replacements) (?:is|are) off, and not read)?$/,
      check([, off], given) {
        const { options, source, at } = given.said;
        const named = ['summaries', 'replacements'].filter((name) => options[name] === false).join(' and ');
        return unless(
          [(off ?? '') === named, 'another is off'],
          [source.compactions().some((one) => one.at <= at), 'none is there'],
        );
      },
    },
    {
      name: 'it is there word for word, in another place',
      says: /put (?:it in another place of the new history|its summary, this message, at its place among what it kept): it is there word for word$/,
      check(_, given, index) {
        const own = given.said.source.text(index);
        const texts = given.said.after.items.map((_item, at) => given.textAfter(at));
        return unless([texts.some((text) => canonical(text) === canonical(own)), 'it is not']);
      },
    },
    {
      name: 'the summary that a compaction put in place of the messages before #N',
      says: /^the summary that recorded compaction (\d+).* put in place of the messages before #(\d+)$/,
      check: ([, , from], given, index) =>
        unless([
          given.said.source.compactions().some(({ summaryIndex, at }) => summaryIndex === index && at === Number(from)),
          'it is not',
        ]),
    },
  ],
  recorded_projection: [
    {
      name: 'kept, hidden, replaced by the recorded projection',
      says: /^(kept|hidden|replaced by a summary|its body \(([\d,]+) characters?\) was replaced by a pointer) by the recorded (\w+) projection/,
      check([, what, chars, policy = ''], given, index) {
        const here = (given.said.source.projections?.() ?? []).some(({ json }) => json.includes(policy));
        const now = textLeft(given, index);
        const own = given.said.source
          .facts(index)
          .parts.reduce((sum, part) => sum + (part.kind === 'tool_result' ? part.chars : 0), 0);
        return unless(
          [here, 'no such projection is recorded'],
          [(now === null) === (what === 'hidden' || what === 'replaced by a summary'), 'it stands, or does not'],
          [chars === undefined || own >= number(chars), `it has ${own} characters`],
        );
      },
    },
    {
      name: 'none is recorded here, or at all',
      says: /^kept: (no projection is recorded at this call point|the transcript records no projection)$/,
      check: ([, which], { said: { source } }) =>
        unless([
          ((source.projections?.() ?? []).length === 0) === (which === 'the transcript records no projection'),
          'it is the other',
        ]),
    },
    {
      name: 'what was summarised has something in its place',
      says: /^older than the last ([\d,]+) messages? \(keep_last\).*; .* replaces it$/,
      check: (_, given, index) => unless([textLeft(given, index) === null, 'it stands']),
    },
  ],
  summary_prefix: [
    {
      name: 'older than the last N, and replaced',
      says: /^older than the last ([\d,]+) messages? \(keep_last\)/,
      check: (_, given, index) => unless([textLeft(given, index) === null, 'it stands']),
    },
  ],
  custom: [
    {
      name: 'the custom function failed, left it out, or returned it',
      says: /^(?:kept: )?the custom function (failed, and then nothing changes|returned it as it is|returned this message changed|left this message out)$/,
      check([, what], given, index) {
        const now = textLeft(given, index);
        const was = given.reader.text(given.position(index));
        if (what === 'left this message out') return unless([now === null, 'it stands']);
        const isSame = now !== null && canonical(now) === canonical(was);
        return unless([isSame === (what !== 'returned this message changed'), 'it is not']);
      },
    },
  ],
  adk_compaction: [
    {
      name: 'so many invocations were complete, or the prompt held as much; and something replaces it',
      says: /^(?:([\d,]+) new invocations? ≥ ([\d,]+) \(compaction_interval\) were complete|the prompt held ([\d,]+) tokens ≥ ([\d,]+) \(token_threshold\)).*; .* replaces it$/,
      check([, fresh, interval, held, limit], given, index) {
        return unless(
          [number(fresh ?? held) >= number(interval ?? limit), 'they are fewer'],
          [
            fresh === undefined || number(fresh) <= given.invocations.length,
            `there are ${given.invocations.length} in all`,
          ],
          [textLeft(given, index) === null, 'it stands'],
        );
      },
    },
    {
      name: 'since the last span no invocation ended with so large a prompt, or one did',
      says: /^kept: it came after the last span, and since then (?:no invocation ended with a prompt of ([\d,]+) tokens?|a prompt held ([\d,]+) tokens? ≥ ([\d,]+))/,
      check([, limit, held, most], given, index) {
        // What was said since, up to the last answer of an invocation that another one follows.
        const ended = given.invocations.slice(0, -1).filter(({ start }) => start >= given.position(index));
        const to = Math.max(0, ...ended.map(({ start, end }) => lastAnswer(given, start, end)));
        const prompt = given.tokens(given.position(index), Math.max(to, given.position(index)));
        return unless(
          [limit === undefined || prompt < number(limit), `one held ${prompt}`],
          [held === undefined || number(held) >= number(most), 'it did not'],
        );
      },
    },
    {
      name: 'neither is set, or the last span ends before a call',
      says: /^kept: (neither compaction_interval nor token_threshold is set|the last span \(compaction_interval\) ends before a call whose result came behind it)$/,
      check([, what], given) {
        const { compaction_interval: interval, token_threshold: limit } = given.said.options;
        return unless([!what?.startsWith('neither') || (interval === 0 && isOff(limit)), 'one is']);
      },
    },
  ],
  pi_compaction: [
    {
      name: 'the window leaves no room, or the last message stays',
      says: /\(window ([\d,]+) − ([\d,]+) reserve_tokens.*: no room\)|^kept: the last message before the request stays with keep_recent_tokens 0 too: a cut comes before a message$/,
      check: ([, window, reserve], given, index) =>
        unless(
          [
            window === undefined || number(window) < number(reserve) + (given.said.budget?.beside.total ?? 0),
            'it does',
          ],
          [window !== undefined || given.left(index) !== null, 'it is gone'],
          [window !== undefined || given.said.options.keep_recent_tokens === 0, 'more is kept'],
        ),
    },
    {
      name: 'before the latest N tokens, but a cut behind it would be before a tool result',
      says: /^kept: before the latest ([\d,]+) tokens at the compaction \(keep_recent_tokens\), but a cut behind it would be before a tool result$/,
      check([, tokens], given, index) {
        const behind = given.range.slice(given.position(index) + 1);
        return unless(
          [behind.some((one) => holds(given.facts(one), 'tool_result')), 'no result is behind it'],
          [given.tokens(given.position(index) + 1, given.range.length) >= number(tokens), 'it is among them'],
        );
      },
    },
  ],
  anthropic_compaction: [
    {
      name: '#N begins with a compaction block',
      says: /^#(\d+) begins with a compaction block: the API drops everything before it$/,
      check: ([, at], given, index) =>
        unless(
          [given.said.source.text(Number(at)).includes('"compaction"'), 'it holds none'],
          [index < Number(at), 'it comes after'],
        ),
    },
    {
      name: 'it came while the summary was made',
      says: /^kept: it came while the summary was made \(background\)$/,
      check: (_, given, index) => unless([textLeft(given, index) !== null, 'it is gone']),
    },
    {
      name: 'older than the turns that are kept, but kept by the cut',
      says: /^kept: (?:no turn is kept \(keep_turns 0\)|older than the last ([\d,]+) turns? \(keep_turns\)), but a cut behind it would part a call from its result, or void the thinking that is kept$/,
      check([, turns = '0'], given, index) {
        const starts = given.range.filter((one) => one > given.position(index) && given.facts(one).beginsTurn);
        return unless(
          [textLeft(given, index) !== null, 'it is gone'],
          [number(turns) === Number(given.said.options.keep_turns ?? number(turns)), 'as many are not kept'],
          [starts.length >= number(turns), `${starts.length} turns begin behind it`],
        );
      },
    },
    {
      name: 'not among the last N messages before the pause, but kept by the cut',
      says: /^kept: not among the last ([\d,]+) messages? before the pause \(pause_after_compaction\), but a cut behind it would part a call from its result$/,
      check([, count], given, index) {
        const behind = given.range.slice(given.position(index) + 1);
        return unless(
          [behind.length >= number(count), `${behind.length} are behind it`],
          [behind.some((one) => holds(given.facts(one), 'tool_result')), 'no result is behind it'],
        );
      },
    },
  ],
  openai_compaction: [
    {
      name: 'the endpoint gives back all messages of the user',
      says: /^kept: the endpoint gives back all messages of the user \(standalone\)$/,
      check: (_, given, index) => unless([factsOf(given, index).role === 'user', 'it is of another']),
    },
  ],
  anthropic_clear_thinking: [
    {
      name: 'all thinking stays',
      says: /^kept: all thinking stays \(keep: all\)$/,
      check: (_, given, index) =>
        unless([textLeft(given, index) === given.reader.text(given.position(index)), 'it is not as it was']),
    },
  ],
  anthropic_clear_tool_uses: [
    {
      name: 'it holds no result that may be cleared',
      says: /^kept: it holds no result that may be cleared$/,
      check(_, given, index) {
        const excluded = given.option<readonly string[]>('exclude_tools', []);
        const position = given.position(index);
        const own = given.exchanges
          .flatMap(({ calls }) => calls)
          .filter(({ results }) => results.some(({ message }) => message === position));
        return unless([own.every(({ name }) => name !== null && (excluded ?? []).includes(name)), 'it does']);
      },
    },
  ],
  langchain_clear_tool_uses: [
    {
      name: 'the trigger is a share that comes to no tokens',
      says: /trigger_fraction is a share of the window that comes to no tokens/,
      check(_, given) {
        const window = Number(given.said.options.window || (given.said.budget?.window ?? 0));
        const share = Math.floor(window * given.option('trigger_fraction', 0));
        return unless([window > 0 && share <= 0, `it comes to ${share}`]);
      },
    },
    {
      name: 'keep is a share that comes to no tokens',
      says: /^kept: among the last 3 tool results: keep is a share of the window that comes to no tokens$/,
      check: (_, given) => unless([given.option<string>('keep_unit', '') === 'fraction', 'it is not']),
    },
  ],
  langchain_trim_messages: [
    {
      name: 'the first message, and a system message',
      says: /^kept: the first message, and a system message \(include_system\)$/,
      check: (_, given, index) =>
        unless([given.position(index) === 0 && factsOf(given, index).role === 'system', 'it is not']),
    },
    {
      name: 'only its first N blocks or lines fit',
      says: /^only its (first|last) ([\d,]+) (block|line)s? of ([\d,]+) fit among the (first|last) ([\d,]+) tokens? \(max_tokens\)/,
      check([, , some, , all, , most], given, index) {
        const now = textLeft(given, index);
        const at = given.said.after.items.findIndex((item) => item.kind === 'source' && item.index === index);
        return unless(
          [number(some) < number(all), 'that is all'],
          [now !== null && now.length < given.reader.text(given.position(index)).length, 'it is not shorter'],
          [at >= 0 && given.tokensOf('after', () => true, 0) <= number(most), 'all that is left takes more'],
        );
      },
    },
  ],
  openai_truncation: [
    {
      name: 'N tokens fit',
      says: /^kept: ([\d,]+) tokens? fit ([\d,]+) \(window\)$/,
      check: ([, held, room], given) =>
        unless(
          [given.tokens(0, given.length) === number(held), 'it is another'],
          [number(held) <= number(room), 'they do not'],
        ),
    },
  ],
  inspect_edit: [
    {
      name: 'it came after the last request that was too large',
      says: /^kept: it came after the last request that was too large \(([\d,]+) tokens? > ([\d,]+) /,
      check: ([, held, most]) => unless([number(held) > number(most), 'it was not']),
    },
    {
      name: 'the assistant’s last N messages',
      says: /(older than|its reasoning is among) the assistant’s last ([\d,]+) messages? \(keep_thinking_turns\)/,
      check([, where, keep], given, index) {
        const answers = given.range.filter((one) => given.facts(one).role === 'assistant');
        const rank = answers.length - answers.indexOf(given.position(index));
        return unless([rank > number(keep) === (where === 'older than'), `it is number ${rank} from the end`]);
      },
    },
    {
      name: 'the result of its call was cleared, the call stays',
      says: /^kept: the result of its call was cleared, the call stays \(keep_tool_inputs\)$/,
      check: (_, given, index) => unless([holds(factsOf(given, index), 'tool_call'), 'it makes none']),
    },
  ],
  inspect_trim: [
    {
      name: 'among the latest share, or after the last request that was too large',
      says: /^kept: (?:among the latest ([\d.]+) of the messages \(preserve\)|it came after the last request that was too large|system messages and the input stay)/,
      check: (_, given, index) => unless([textLeft(given, index) !== null, 'it is gone']),
    },
  ],
  vercel_prune_messages: [
    {
      name: 'what goes by options',
      says: /^(?:all reasoning goes \((reasoning): (all)\)|all tool calls go \((tool_calls): (all)\)|it has no content \((empty_messages): (remove)\)|the tool calls that it led to were pruned|kept: it holds nothing that is to be pruned)$/,
      check([all, ...named], given, index) {
        const [name, value] = named.filter((one) => one !== undefined);
        const chosen = name === undefined ? undefined : given.said.options[name];
        const now = textLeft(given, index);
        return unless(
          [name === undefined || chosen === undefined || chosen === null || chosen === value, 'it is not so set'],
          [!all.startsWith('kept') || now === given.reader.text(given.position(index)), 'it is not as it was'],
          [!all.startsWith('it has no content') || now === null, 'it stands'],
        );
      },
    },
  ],
};

function canonical(json: string): string {
  const sorted = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(sorted)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([key, own]) => [key, sorted(own)]),
          )
        : value;
  return JSON.stringify(sorted(JSON.parse(json)));
}
