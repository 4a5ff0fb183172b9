// A session that lost its cache, as Claude Code writes it: several lines of one answer, each with the provider's diagnosis.
/** What every session begins with. */
const SHARED = 15_000;
const MISSED = { cache_miss_reason: { type: 'system_changed', cache_missed_input_tokens: 31_000 } };

/** Eight requests, each 1,500 tokens longer; the sixth found no more than what every session begins with. */
export function missedSession(): string {
  const lines: unknown[] = [];
  let parentUuid: string | null = null;
  const add = (type: string, message: unknown, minute: number, more: object = {}) => {
    const uuid = `u${lines.length}`;
    const timestamp = new Date(Date.UTC(2026, 6, 1, 9, minute)).toISOString();
    lines.push({
      type,
      uuid,
      parentUuid,
      sessionId: 's',
      isSidechain: false,
      version: '2.1.219',
      timestamp,
      message,
      ...more,
    });
    parentUuid = uuid;
  };
  for (let i = 0; i < 8; i++) {
    add('user', { role: 'user', content: `${'Go on. '.repeat(600)}${i}` }, i);
    const total = 40_000 + i * 1500;
    const read = i === 0 || i === 5 ? SHARED : total - 1500;
    const usage = {
      input_tokens: 2,
      output_tokens: 9,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: total - read,
    };
    const model = {
      id: `msg_${i}`,
      role: 'assistant',
      model: 'claude-opus-5',
      usage,
      diagnostics: i === 5 ? MISSED : null,
    };
    add('assistant', { ...model, content: [{ type: 'text', text: 'I look.' }] }, i, { effort: 'high' });
    add('assistant', { ...model, content: [{ type: 'text', text: 'Done.' }] }, i, { effort: 'high' });
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}
