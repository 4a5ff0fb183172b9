// A Claude Code session in which somebody thinks for twelve minutes: its requests only grow, and one comes too late.

/** What the answers record of the cache. */
export const PAUSED_USAGE = { input_tokens: 5, cache_creation_input_tokens: 300, cache_read_input_tokens: 7400 };

/** Source index of the answer to the request that comes after the pause. */
export const AFTER_PAUSE = 5;

/** Its lines; six messages. */
export function pausedSession(): string {
  const said: readonly (readonly [string, string, string])[] = [
    ['user', 'every word of it '.repeat(1500), '00:00'],
    ['assistant', 'one', '00:10'],
    ['user', 'two', '02:00'],
    ['assistant', 'three', '02:10'],
    ['user', 'four', '14:00'],
    ['assistant', 'five', '14:10'],
  ];
  const lines = said.map(([role, text, time], i) =>
    JSON.stringify({
      parentUuid: i === 0 ? null : `p${i - 1}`,
      isSidechain: false,
      cwd: '/home/dev/app',
      sessionId: 'session-paused',
      version: '2.0.14',
      type: role,
      message:
        role === 'user'
          ? { role, content: text }
          : {
              id: `msg_p${i}`,
              type: 'message',
              model: 'claude-sonnet-4-5',
              role,
              content: [{ type: 'text', text }],
              usage: { ...PAUSED_USAGE, output_tokens: 3 },
            },
      uuid: `p${i}`,
      timestamp: `2026-01-05T09:${time}.000Z`,
    }),
  );
  return `${lines.join('\n')}\n`;
}
