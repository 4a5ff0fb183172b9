// Sentences of hygiene, each rule's part of one by itself, checked on the messages that it was given and those it left.
import { isRecord } from '../../../core/util/unknown.ts';
import { readView } from '../../../core/view/reader.ts';
import { type Claim, type Given, number, unless } from './given.ts';

type Fields = Readonly<Record<string, unknown>>;

function messageAt(given: Given, position: number): Fields {
  const message: unknown = JSON.parse(given.reader.text(position));
  return isRecord(message) ? message : {};
}

function own(given: Given, index: number): Fields {
  return messageAt(given, given.position(index));
}

function blocksOf(message: Fields): readonly Fields[] {
  const list = Array.isArray(message.content) ? message.content : Array.isArray(message.parts) ? message.parts : [];
  return list.filter(isRecord);
}

// All objects in a value, itself among them.
function objectsIn(value: unknown): readonly Fields[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (!isRecord(value)) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

const isTextBlock = ({ type, text }: Fields) => (type === 'text' || type === undefined) && typeof text === 'string';
const isThinking = ({ type }: Fields) => ['thinking', 'redacted_thinking', 'reasoning'].includes(String(type));
const THOUGHT_KEYS = ['thoughtSignature', 'thought_signature'];

/** The message as the stage left it; undefined = it stands in no place of its own. */
function left(given: Given, index: number): Fields | undefined {
  const { after, source } = given.said;
  const at = after.items.findIndex((item) => item.kind === 'source' && item.index === index);
  if (at < 0) return undefined;
  const message: unknown = JSON.parse(readView(after, source, given.memo).text(at));
  return isRecord(message) ? message : {};
}

function allLeft(given: Given): string {
  const { after, source } = given.said;
  const reader = readView(after, source, given.memo);
  return after.items.map((_, at) => reader.text(at)).join('\n');
}

interface Place {
  readonly position: number;
  readonly id: string | null;
  readonly name: string | null;
}

function placesOf(given: Given, kind: 'tool_call' | 'tool_result'): readonly Place[] {
  return given.range.flatMap((position) => {
    const { parts } = given.facts(position);
    return parts.flatMap((part) =>
      part.kind === kind ? [{ position, id: part.callId ?? null, name: part.name ?? null }] : [],
    );
  });
}

// The id that a result had before ids were rewritten: by the words of the same fate.
function rawId(given: Given, index: number, id: string): string {
  const reason = given.said.fates.get(index)?.reason ?? '';
  const pairs = [...reason.matchAll(/"([^"]*)" is now "([^"]*)"/g)];
  return pairs.find(([, , now]) => now === id)?.[1] ?? id;
}

function idsUnder(given: Given, index: number): readonly (string | null)[] {
  return given.facts(given.position(index)).parts.flatMap(({ callId }) => (callId === undefined ? [] : [callId]));
}

const ENDED = ['error', 'aborted'];

// A result that was moved up to its call stands before what it came after.
function hasMoved(given: Given, ...positions: readonly number[]): boolean {
  return positions.some((position) => {
    const index = given.reader.indexOf(position);
    return index !== null && /moved up to its call/.test(given.said.fates.get(index)?.reason ?? '');
  });
}

// Messages of the same role, but for system messages and those that are gone, stand next to each other.
function isNextTo(given: Given, role: string, a: number, b: number): boolean {
  return given.range.slice(Math.min(a, b) + 1, Math.max(a, b)).every((position) => {
    const index = given.reader.indexOf(position);
    const fate = index === null ? undefined : given.said.fates.get(index);
    const isGone = fate !== undefined && ['dropped', 'merged'].includes(fate.kind);
    const held = given.facts(position).role;
    return isGone || held === role || held === 'system' || held === 'developer';
  });
}

const CONTENT: readonly Claim[] = [
  {
    name: 'another session wrote this; a line was put before it',
    says: /^Mark inter-session messages: another session wrote this, .*; the line "(.*)" was put before it$/,
    check([, line = ''], given, index) {
      const { provenance } = own(given, index);
      return unless(
        [isRecord(provenance) && provenance.kind === 'inter_session', 'nothing says so'],
        [
          left(given, index) === undefined ||
            JSON.stringify(left(given, index)).includes(JSON.stringify(line).slice(1, -1)),
          'no such line',
        ],
      );
    },
  },
  {
    name: 'a text block is blank; removed, or all was',
    says: /^(Blank text|Empty content|Normalise content): (?:a text block|the text) is blank; (?:the block|it|the turn held nothing else and) was (removed|dropped)$/,
    check([, , done], given, index) {
      const message = own(given, index);
      const blocks = blocksOf(message);
      const blank = blocks.filter((block) => isTextBlock(block) && isBlank(block.text));
      const hasOther = blocks.some((block) => !blank.includes(block));
      return unless(
        [blank.length > 0 || isBlank(message.content), 'none is'],
        [done !== 'dropped' || !hasOther || hasLost(given, index), 'it held something else'],
        [done !== 'dropped' || left(given, index) === undefined, 'it stands'],
      );
    },
  },
  {
    name: 'the message says nothing',
    says: /^(?:Blank text|Empty content|Normalise content|Antigravity thinking): the (?:message says nothing|turn is empty|user turn is blank|turn is blank); it was dropped$/,
    check(_, given, index) {
      const said = given.facts(given.position(index)).parts;
      const isSilent = said.every(({ chars }, at) => chars === 0 || isBlank(textOf(given, index, at)));
      return unless([isSilent || hasLost(given, index), 'it does'], [left(given, index) === undefined, 'it stands']);
    },
  },
  {
    name: 'details that are not for the model',
    says: /^Details of results: the result carries details that are not for the model; they were removed$/,
    check: (_, given, index) =>
      unless(
        ['details' in own(given, index), 'it has none'],
        [!('details' in (left(given, index) ?? {})), 'they stand'],
      ),
  },
  {
    name: 'text precedes the tool results of the same message',
    says: /^Results first: text precedes the tool results of the same message; the results were put first$/,
    check(_, given, index) {
      const blocks = blocksOf(left(given, index) ?? {});
      const results = blocks.map(({ type }) => type === 'tool_result');
      return unless([results.lastIndexOf(true) < results.indexOf(false), 'they are not first']);
    },
  },
  {
    name: 'content that was normalised',
    says: /^Normalise content: (the content is a string|the result is empty|the failed turn is empty); it is one text block now$/,
    check(_, given, index) {
      const { content } = left(given, index) ?? { content: [0] };
      return unless([Array.isArray(content) && content.length === 1, 'it is not']);
    },
  },
  {
    name: 'turns that were cut off, failed, or have no content',
    says: /^Normalise content: (the turn is reasoning that was cut off|a failed turn without content is last|the turn has no content); (it was dropped|it has an empty list now)$/,
    check([, what, done], given, index) {
      const message = own(given, index);
      const blocks = blocksOf(message);
      return unless(
        [done !== 'it was dropped' || left(given, index) === undefined, 'it stands'],
        [
          !String(what).includes('cut off') || (message.stopReason === 'length' && blocks.every(isThinking)),
          'it is more',
        ],
        [!String(what).includes('failed') || message.stopReason === 'error', 'it did not fail'],
      );
    },
  },
];

function textOf(given: Given, index: number, at: number): unknown {
  const message = own(given, index);
  const path = given.facts(given.position(index)).parts[at]?.path ?? [];
  const value = path.reduce<unknown>((held, key) => (held as Fields | undefined)?.[String(key)], message);
  return isRecord(value) ? value.text : value;
}

// An earlier rule took something out of the message, so that it says less than what was given.
function hasLost(given: Given, index: number): boolean {
  return /; then: /.test(given.said.fates.get(index)?.reason ?? '');
}

const SIZE = /^([\d,]+) × ([\d,]+) px$/;

function pngSize(data: string): string | null {
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length < 24 || bytes.toString('latin1', 1, 4) !== 'PNG') return null;
  return `${bytes.readUInt32BE(16)} ${bytes.readUInt32BE(20)}`;
}

function payloads(given: Given, index: number): readonly string[] {
  const texts = objectsIn(own(given, index)).flatMap(({ data, url, image_url: link }) => [data, url, link]);
  return texts.flatMap((text) => (typeof text === 'string' ? [text.replace(/^data:[^,]*,/, '').trim()] : []));
}

const IMAGES: readonly Claim[] = [
  {
    name: 'an image is over the limits, or its size cannot be read',
    says: /an image is over the limits: (.+?), ([\d,]+) bytes?; allowed are ([\d,]+) px and ([\d,]+) bytes?|the size of an image cannot be read, so it may be over the limits: .*?, ([\d,]+) bytes?; allowed are ([\d,]+) px and ([\d,]+) bytes?/,
    check([, size = '', bytes, side, most, unread, otherSide, otherMost], given, index) {
      const sides = SIZE.exec(size);
      const held = number(bytes ?? unread);
      const isHeld = payloads(given, index).some((data) => Math.abs(Buffer.from(data, 'base64').length - held) < 2);
      const limits = [given.option('image_max_side', 1200), given.option('image_max_bytes', 5 * 1024 * 1024)];
      const isOver = number(sides?.[1]) > limits[0]! || number(sides?.[2]) > limits[0]! || held > limits[1]!;
      return unless(
        [number(side ?? otherSide) === limits[0] && number(most ?? otherMost) === limits[1], 'others are allowed'],
        [isHeld, 'no image has as many bytes'],
        [isOver === (unread === undefined), 'that is within them'],
      );
    },
  },
  {
    name: 'an image has no payload, is not base64, or is of another type',
    says: /(an image has no payload|an image is not base64|an image says it is (\S+|of no type) and is (\S+)|white space surrounds an image)(?:;|$)/,
    check([, what, says, is], given, index) {
      const all = objectsIn(own(given, index));
      const types = all.flatMap(({ mimeType, media_type: media, mime_type: mime, url, image_url: link }) => {
        return [mimeType, media, mime, url, link].flatMap((text) => (typeof text === 'string' ? [text] : []));
      });
      const data = payloads(given, index);
      if (what === 'an image has no payload') return unless([data.includes(''), 'each has one']);
      if (what === 'an image is not base64') return unless([data.some((one) => !/^[\w+/\s=-]*$/.test(one)), 'each is']);
      if (says === undefined) return true;
      return unless(
        [says === 'of no type' || types.some((type) => type.includes(says)), 'none does'],
        [is !== 'image/png;' || data.some((one) => pngSize(one) !== null), 'none is a PNG'],
      );
    },
  },
  {
    name: 'its image is within the limits',
    says: /; its (?:image has (?:([\d,]+) × ([\d,]+) px and )?([\d,]+) bytes?,|\d+ images are) within ([\d,]+) px \(image_max_side\) and ([\d,]+) bytes? \(image_max_bytes\)$/,
    check([, width, height, bytes, side, most], given, index) {
      const sizes = payloads(given, index).flatMap((data) => pngSize(data) ?? []);
      const longest = Math.max(number(width), number(height));
      return unless(
        [bytes === undefined || width !== undefined, 'its sides are not known'],
        [longest <= number(side) && number(bytes) <= number(most), 'it is over'],
        [
          sizes.length === 0 || bytes === undefined || sizes.includes(`${number(width)} ${number(height)}`),
          'it has others',
        ],
      );
    },
  },
];

const REASONING: readonly Claim[] = [
  {
    name: 'a thinking block has no signature; sent as text, removed, or all was',
    says: /^(?:Unsigned|Antigravity) thinking: a thinking block has no (?:valid )?signature; (.+)$/,
    check([, done = ''], given, index) {
      const blocks = blocksOf(own(given, index)).filter(({ type }) => type === 'thinking');
      const after = JSON.stringify(left(given, index) ?? {}) + allLeft(given);
      const thoughts = blocks.map((block) => String(block.thinking ?? block.text ?? ''));
      const isSent = thoughts.some((text) => text.trim() !== '' && after.includes(JSON.stringify(text).slice(1, -1)));
      return unless(
        [blocks.length > 0, 'it has no thinking'],
        [!done.includes('it is sent as text') || isSent || hasLost(given, index), 'it is not sent'],
        [!done.includes('a blank one was removed') || thoughts.some(isBlank), 'none is blank'],
        [!done.includes('and was dropped') || left(given, index) === undefined, 'it stands'],
      );
    },
  },
  {
    name: 'a signature is spelt otherwise',
    says: /^Antigravity thinking: a signature is spelt otherwise; it is now under thinkingSignature$/,
    check: (_, given, index) =>
      unless([
        blocksOf(left(given, index) ?? { content: [{ thinkingSignature: 's' }] }).some(
          (block) => 'thinkingSignature' in block,
        ),
        'it is not',
      ]),
  },
  {
    name: 'a thought signature that the provider did not make',
    says: /^Thought signatures: it carries a thought signature that the provider did not make; the signature was removed$/,
    check(_, given, index) {
      const signed = objectsIn(own(given, index)).flatMap((one) => THOUGHT_KEYS.filter((key) => key in one)).length;
      const still = objectsIn(left(given, index) ?? {}).flatMap((one) =>
        THOUGHT_KEYS.filter((key) => key in one),
      ).length;
      return unless([signed > 0, 'it carries none'], [still < signed, 'it stands']);
    },
  },
  {
    name: 'old reasoning is not needed again',
    says: /^Old thinking: old reasoning is not needed again; it was removed$/,
    check(_, given, index) {
      const later = given.range.slice(given.position(index) + 1).some((one) => given.facts(one).role === 'assistant');
      return unless(
        [blocksOf(own(given, index)).some(isThinking), 'it has none'],
        [!blocksOf(left(given, index) ?? {}).some(isThinking), 'it stands'],
        [later, 'it is the latest'],
      );
    },
  },
  {
    name: 'reasoning items that were dropped',
    says: /^(?:Orphaned reasoning: a reasoning item is not followed by what it led to|Reasoning before a switch of model: the reasoning was made before a switch \((.+)\)); (?:the item was dropped|the turn held nothing else and was dropped)$/,
    check([all, words], given, index) {
      const blocks = blocksOf(own(given, index));
      const names = (words ?? '').split(', ').flatMap((pair) => pair.split(' → '));
      const raw = given.range.map((one) => given.reader.text(one).toLowerCase()).join('\n');
      const chosen = JSON.stringify(given.said.options).toLowerCase();
      return unless(
        [blocks.some(isThinking), 'it has none'],
        [names.every((name) => name === '' || raw.includes(name) || chosen.includes(name)), 'no such route'],
        [!all.endsWith('and was dropped') || left(given, index) === undefined, 'it stands'],
      );
    },
  },
];

const IDS: readonly Claim[] = [
  {
    name: 'tool ids that were rewritten, and why',
    says: /^Tool call ids: (.+?): (".*" is now ".*"(?: and \d+ more)?); it was rewritten, and is the same on a call and its result$/s,
    check([, why = '', pairs = ''], given, index) {
      const named = [...pairs.matchAll(/"((?:[^"])*)" is now "([^"]*)"/g)];
      const ids = idsUnder(given, index);
      const all = given.range.flatMap((one) => given.facts(one).parts.map(({ callId }) => callId ?? ''));
      const after = allLeft(given);
      const olds = named.map(([, old = '']) => old);
      const count = (id: string) => all.filter((one) => one === id).length;
      const clash = (old: string, now: string) => count(old) > 1 || all.includes(now) || isTaken(given, old);
      const stands = left(given, index) !== undefined;
      const isIn = (now: string) => after.includes(JSON.stringify(now)) || !stands || hasLost(given, index);
      return unless(
        [
          olds.every((old) => ids.includes(old) || (old === '' && ids.some((id) => (id ?? '') === ''))),
          'it has no such id',
        ],
        [named.every(([, old, now]) => old !== now && isIn(now ?? '')), 'the new one is not there'],
        [!why.includes('of letters and digits') || olds.some((old) => !/^[A-Za-z0-9]{1,40}$/.test(old)), 'each is'],
        [!why.includes('of 9 letters') || olds.some((old) => !/^[A-Za-z0-9]{9}$/.test(old)), 'each is'],
        [
          !why.includes('more than') ||
            olds.some((old) => old.split('|').some((half) => half.length > number(/\d+/.exec(why)?.[0]))),
          'none is longer',
        ],
        [!why.includes('has the same') || named.some(([, old = '', now = '']) => clash(old, now)), 'no two have'],
        [!/has no id|names no call/.test(why) || olds.includes(''), 'each has one'],
      );
    },
  },
  {
    name: 'the id names an item whose reasoning is gone',
    says: /^[^:]+: the id names an item whose reasoning is gone; it was shortened to the call$/,
    check: (_, given, index) =>
      unless([idsUnder(given, index).some((id) => id?.includes('|fc_') === true), 'no id names one']),
  },
];

// Another id becomes the same once it is cut to what is taken.
function isTaken(given: Given, id: string): boolean {
  const plain = (text: string) => text.replace(/[^A-Za-z0-9]/g, '').slice(0, 9);
  const calls = placesOf(given, 'tool_call');
  return calls.filter((call) => plain(call.id ?? '') === plain(id)).length > 1;
}

const CALLS: readonly Claim[] = [
  {
    name: 'calls that were cut off',
    says: /^Malformed calls: (.*(?:names no tool|has no id|has no arguments: it was cut off|can be no tool's name|there is no tool .+|two calls share an id|a tool name has white space around it).*); (the call was dropped|(\d+) calls were dropped|the turn held nothing else and was dropped|the turn has reasoning and was dropped whole|it was trimmed)$/,
    check([, , done, many], given, index) {
      const calls = given.facts(given.position(index)).parts.filter(({ kind }) => kind === 'tool_call');
      const rest = given.facts(given.position(index)).parts.filter(({ kind }) => kind !== 'tool_call');
      const after = left(given, index);
      const now = after === undefined ? null : objectsIn(after).length;
      return unless(
        [calls.length >= Number(many ?? 1), 'it makes none'],
        [!String(done).startsWith('the turn') || after === undefined, 'it stands'],
        [
          done !== 'the turn held nothing else and was dropped' ||
            rest.every(({ chars }) => chars === 0) ||
            hasLost(given, index),
          'it held something else',
        ],
        [
          !/calls? w(?:as|ere) dropped/.test(done ?? '') ||
            now === null ||
            now < objectsIn(own(given, index)).length ||
            hasLost(given, index),
          'nothing is gone',
        ],
      );
    },
  },
  {
    name: 'no call before it goes with the result',
    says: /no call before it goes with the result "(.*?)"/,
    check([, named = ''], given, index) {
      const id = rawId(given, index, named);
      const position = given.position(index);
      const before = placesOf(given, 'tool_call').filter(
        (call) => call.position < position && call.id === id && id !== '',
      );
      const results = placesOf(given, 'tool_result').filter((one) => one.position <= position && one.id === id);
      const isKnown = placesOf(given, 'tool_result').some(
        (one) => one.position === position && (one.id === id || one.name === id || id === ''),
      );
      // A call that was cut off is gone by then.
      const goes = before.filter((call) => left(given, given.reader.indexOf(call.position) ?? -1) !== undefined);
      return unless(
        [isKnown, 'it holds no such result'],
        [results.length > goes.length || goes.length === 0 || hasDropped(given, before), 'one does'],
      );
    },
  },
  {
    name: 'the call has another result already, or a real one',
    says: /(the call "(.*?)" has another result already; the repetition was dropped; the other stays|nobody gave this result, and the call "(.*?)" has a real one; it was dropped; the real one stays)/,
    check([, , repeated, made], given, index) {
      const id = rawId(given, index, repeated ?? made ?? '');
      const position = given.position(index);
      const same = placesOf(given, 'tool_result').filter((one) => one.id === id);
      const isOther =
        made === undefined ? same.some((one) => one.position <= position) : same.some((one) => one.position > position);
      const isMade = /inserted synthetic|synthetic error|missing tool result/.test(given.reader.text(position));
      return unless([same.length > 1 && isOther, 'it has none'], [made === undefined || isMade, 'somebody gave it']);
    },
  },
  {
    name: 'its call is in a turn that failed or was aborted',
    says: /(?:its call is|the call of .+? is) in a turn that failed or was aborted/,
    check(_, given, index) {
      const ids = idsUnder(given, index);
      const turns = placesOf(given, 'tool_call').filter((call) => ids.includes(call.id));
      return unless([
        turns.some((call) => ENDED.includes(String(messageAt(given, call.position).stopReason))),
        'none ended so',
      ]);
    },
  },
  {
    name: 'a result does not follow its turn, and was moved up to its call at #N',
    says: /the result of (.+?) (does not follow its turn directly|comes after a later turn that calls); .*?moved up to its call(?: at #(\d+)|$)/,
    check([, name, where, at], given, index) {
      if (at === undefined) return true;
      const call = given.position(Number(at));
      const position = given.position(index);
      const isJoined = /was merged into it/.test(given.said.fates.get(Number(at))?.reason ?? '');
      const named =
        isJoined ||
        given.facts(call).parts.some((part) => part.kind === 'tool_call' && (part.name === name || part.name === null));
      const between = given.range.slice(call + 1, position);
      const isLate = between.some((one) => given.facts(one).parts.some(({ kind }) => kind === 'tool_call'));
      return unless(
        [call < position && named, 'it makes no such call'],
        [between.length > 0, 'it follows directly'],
        [where !== 'comes after a later turn that calls' || isLate, 'no turn between calls'],
      );
    },
  },
  {
    name: 'a result names no call; it was given the id of its call',
    says: /a result names no call; .*?it was given the id of its call(, and marked as an error)?/,
    check([, isError], given, index) {
      const after = left(given, index);
      return unless(
        [idsUnder(given, index).some((id) => (id ?? '') === ''), 'each does'],
        [isError === undefined || after === undefined || after.isError === true, 'it is not marked'],
        [isError !== undefined || after?.isError !== true || own(given, index).isError === true, 'it is marked'],
      );
    },
  },
  {
    name: 'the call of X has no result; a synthetic one was put in',
    says: /^(?:kept: )?Calls and results(?:, after the cut)?: the call of (.+?)(?: \("(.*?)"\))? has no result; a synthetic error result was put in; nobody gave it$/,
    check([, name, id], given, index) {
      const { parts } = given.facts(given.position(index));
      const calls = parts.filter(({ kind }) => kind === 'tool_call');
      const isOwn = calls.some((call) => (call.name ?? 'unknown') === name && (id === undefined || call.callId === id));
      const made = given.said.after.items.filter((item) => item.kind === 'synthetic').length;
      return unless(
        [isOwn, 'it makes no such call'],
        [made > 0 || allLeft(given).includes('inserted synthetic error result'), 'none is there'],
      );
    },
  },
  {
    name: 'two turns follow each other; merged',
    says: /^Merge (user|assistant) turns: two \1 turns follow each other; (?:it was merged into (#(\d+)|the turn before it)|(?:#(\d+)|the turn after it) was merged into it)$/,
    check([, role = '', , into, from], given, index) {
      const position = given.position(index);
      if (into === undefined && from === undefined)
        return unless([given.facts(position).role === role, 'of another role']);
      const other = given.position(Number(into ?? from));
      const isBefore = into !== undefined ? other < position : other > position;
      return unless(
        [given.facts(position).role === role && given.facts(other).role === role, 'of another role'],
        [isBefore || hasMoved(given, position, other), 'the other way round'],
        [into === undefined || left(given, index) === undefined, 'it stands'],
        [isNextTo(given, role, position, other) || hasMoved(given, position, other), 'something is between them'],
      );
    },
  },
];

function hasDropped(given: Given, calls: readonly Place[]): boolean {
  return calls.some(({ position }) => {
    const index = given.reader.indexOf(position);
    const reason = index === null ? '' : (given.said.fates.get(index)?.reason ?? '');
    return /dropped|removed/.test(reason);
  });
}

const KEPT: readonly Claim[] = [
  {
    name: 'no rule objects to it',
    says: /^kept: (?:within the limit of [\d,]+ user turns? \(history_limit\), and )?no rule objects to it \((.+)\)/,
    check([, how = ''], given, index) {
      const given_ = given.reader.text(given.position(index));
      const chosen = given.option<string | null>('profile', 'auto') ?? 'auto';
      return unless(
        [JSON.stringify(left(given, index)) === JSON.stringify(JSON.parse(given_)), 'it is not as it was'],
        [chosen === 'auto' || how === `profile ${chosen}`, 'another profile was chosen'],
        [isAnsweredOrOff(given, index), 'a result was put in for its call'],
      );
    },
  },
];

// A call that something made stands behind has had no result.
function isAnsweredOrOff(given: Given, index: number): boolean {
  const { after } = given.said;
  const at = after.items.findIndex((item) => item.kind === 'source' && item.index === index);
  const calls = placesOf(given, 'tool_call').some(({ position }) => position === given.position(index));
  const next = calls ? after.items[at + 1] : undefined;
  if (next?.kind !== 'synthetic' || next.stage !== given.said.stage.position) return true;
  return next.made?.chip !== 'synthetic result';
}

const LIMIT: readonly Claim[] = [
  {
    name: 'older than the last N user turns',
    says: /^History limit: it is older than the last ([\d,]+) user turns? \(history_limit\); it was dropped$/,
    check([, most], given, index) {
      const behind = given.allTurns.filter((start) => start > given.position(index)).length;
      const isOlder = behind >= number(most) || hasMoved(given, given.position(index));
      return unless([isOlder, `${behind} turns begin behind it`]);
    },
  },
  {
    name: 'within the limit of N user turns',
    says: /^kept: within the limit of ([\d,]+) user turns? \(history_limit\)/,
    check([, most], given, index) {
      // Messages that are gone by then begin no turn, and turns of the user that follow each other are one.
      const isThere = (one: number) => left(given, given.reader.indexOf(one) ?? -1) !== undefined;
      const behind = given.allTurns.filter((start) => start > given.position(index) && isThere(start));
      return unless([behind.length <= number(most), `${behind.length} turns begin behind it`]);
    },
  },
];

/** Of hygiene. Sentences of several rules are checked part by part. */
export const HYGIENE: readonly Claim[] = [...LIMIT, ...CONTENT, ...IMAGES, ...REASONING, ...IDS, ...CALLS, ...KEPT];
