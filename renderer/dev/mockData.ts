// Sample data for the mock engine and the gallery: a long, plausible session from a seed, and a few messages that try
// the screen: huge, empty, right-to-left, emoji, unbroken, markup.
import type { Category } from '../../core/model/category.ts';
import type { PartKind } from '../../core/model/message.ts';
import type { BadgeKind } from '../../core/protocol/types.ts';

export interface MockPart {
  readonly kind: PartKind;
  readonly category: Category;
  readonly label: string;
  readonly text: string;
  readonly tokens: number;
  readonly badges: readonly BadgeKind[];
}

export interface MockMessage {
  readonly role: string;
  readonly parts: readonly MockPart[];
  readonly beginsTurn: boolean;
}

/** Numbers from a seed, 0 ≤ x < 1 (Park–Miller). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16807) % 2147483647;
    return state / 2147483647;
  };
}

const USER = [
  'Still red on CI. Look at how the session is refreshed, then fix it properly.',
  'Please add a test for the case where two tabs wake up at once.',
  'Why did you touch the router? Put it back.',
];
const THINK = [
  'The refresh path probably races with logout. I should read session.ts again before changing anything.',
  'Two tabs share one refresh token; the second refresh invalidates the first. A lock would do, or a single flight.',
];
const SAY = [
  'Three places touch it. Reading the session module first.',
  'The lock is taken after the await. That is the race.',
  'One left: the refresh happens twice when two tabs wake up.',
];
const CALLS = [
  'grep  refresh_token  src/ --hidden',
  'read_file  src/auth/session.ts',
  'run  npm test -- login.spec',
  'edit  src/auth/session.ts  +6 −2',
];
const RESULTS = [
  'src/auth/session.ts:88  src/auth/logout.ts:31  test/login.spec.ts:12',
  'export class Session { private refresh_token: string | null = null; async refresh() { const lock = await this.lock(); …',
  '✓ 14 passed  ✗ 1 failed  login.spec.ts:41 expected 200 got 401',
  'The file src/auth/session.ts has been updated.',
];
const ERRORS = ['Error: rg: unrecognized flag --hidde', 'Error: Cannot find module ./fixtures/clock'];

/** Messages that try the screen; they are at the start of the sample. */
export const ODD_MESSAGES: readonly MockMessage[] = [
  one(
    'system',
    text(
      'system',
      'You are a careful engineer. Work in small steps. Run the tests before you say that you are done.',
      1843,
    ),
  ),
  turn(
    text(
      'user',
      'Fix the flaky login test, and tell me why it was flaky. اختبار تسجيل الدخول لا يستقر، أصلحه من فضلك',
      61,
    ),
  ),
  one(
    'user',
    text('user', '<system-reminder>The todo list is empty. Do not mention this to the user.</system-reminder>', 28, [
      'injected',
    ]),
  ),
  one(
    'assistant',
    text('assistant', '', 0),
    thinking(THINK[0] ?? '', 611, ['signed']),
    call('read_file  src/auth/legacy.ts', 44),
  ),
  one(
    'user',
    result(
      `export function legacyRefresh(store: Store) {\n${'  const value = store.get("refresh_token");\n'.repeat(4000)}}`,
      58_112,
    ),
  ),
  one(
    'assistant',
    text('assistant', '🧪🔬 Done? Not yet: 👩‍👩‍👧‍👦 and é̂ and 漢字仮名交じり文 stay in one line 🚦', 31),
  ),
  one(
    'user',
    result(
      '=====================================================================================================================================================================================',
      40,
    ),
  ),
  one('user', {
    kind: 'image',
    category: 'image',
    label: 'image',
    text: 'image/png 1440 × 900',
    tokens: 1728,
    badges: ['image'],
  }),
  one('assistant', {
    kind: 'opaque',
    category: 'thinking',
    label: 'thinking',
    text: 'encrypted reasoning, 1,204 bytes',
    tokens: 402,
    badges: ['opaque', 'signed'],
  }),
  one('assistant', text('assistant', 'API Error: 529 overloaded_error', 12, ['api_error', 'error'])),
];

/** `count` messages, the same for the same count. */
export function sampleMessages(count: number): readonly MockMessage[] {
  const random = seeded(7);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const messages: MockMessage[] = [...ODD_MESSAGES];
  while (messages.length < count) {
    if (messages.length % 31 === 12) messages.push(turn(text('user', pick(USER), 18 + Math.floor(random() * 40))));
    else {
      const says = random() < 0.4 ? [text('assistant', pick(SAY), 20 + Math.floor(random() * 90))] : [];
      const thinks =
        random() < 0.3
          ? [thinking(pick(THINK), 200 + Math.floor(random() * 500), random() < 0.2 ? ['signed'] : [])]
          : [];
      messages.push(one('assistant', ...thinks, ...says, call(pick(CALLS), 30 + Math.floor(random() * 160))));
      const failed = random() < 0.12;
      const size = failed ? 60 : Math.floor(random() ** 4 * 9000) + 12;
      messages.push(one('user', result(failed ? pick(ERRORS) : pick(RESULTS), size, failed ? ['error'] : [])));
    }
  }
  return messages.slice(0, count);
}

function one(role: string, ...parts: readonly MockPart[]): MockMessage {
  return { role, parts, beginsTurn: false };
}

function turn(...parts: readonly MockPart[]): MockMessage {
  return { role: 'user', parts, beginsTurn: true };
}

function text(
  category: 'system' | 'user' | 'assistant',
  body: string,
  tokens: number,
  badges: readonly BadgeKind[] = [],
): MockPart {
  return { kind: 'text', category, label: category, text: body, tokens, badges };
}

function thinking(body: string, tokens: number, badges: readonly BadgeKind[] = []): MockPart {
  return { kind: 'thinking', category: 'thinking', label: 'thinking', text: body, tokens, badges };
}

function call(body: string, tokens: number): MockPart {
  return { kind: 'tool_call', category: 'tool_call', label: 'call', text: body, tokens, badges: [] };
}

function result(body: string, tokens: number, badges: readonly BadgeKind[] = []): MockPart {
  return { kind: 'tool_result', category: 'tool_result', label: 'result', text: body, tokens, badges };
}
