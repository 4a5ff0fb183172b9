// A Claude Code session that was compacted: its records carry usage, so that every request can be checked. One more fall
// of the input, of 15,000 tokens, is recorded nowhere.

/** Number of the first message after the compaction: its summary. Before it and after it are 2 × `turns` messages. */
export interface CompactedSession {
  readonly text: string;
  readonly summaryIndex: number;
  /** The answer whose request was smaller than anything recorded explains. */
  readonly dropIndex: number;
}

const WORDS = 'the parser reads each line and keeps what it knows of every token that was seen before it '.repeat(40);

/** Lines of the session; `turns` questions with answers before the compaction, and as many after it. */
export function compactedSession(turns = 12): CompactedSession {
  const lines: string[] = [];
  let parent: string | null = null;
  let history = 0;
  const push = (type: string, more: object) => {
    const uuid = `u${lines.length}`;
    const timestamp = new Date(Date.UTC(2026, 0, 5, 9, lines.length)).toISOString();
    const base = { parentUuid: parent, isSidechain: false, cwd: '/home/dev/app', sessionId: 's', version: '2.0.14' };
    lines.push(JSON.stringify({ ...base, type, ...more, uuid, timestamp }));
    parent = uuid;
  };
  const ask = (text: string) => {
    history += Math.round(text.length / 5);
    push('user', { message: { role: 'user', content: text } });
  };
  const answer = (text: string, missing = 0) => {
    const all = 20_000 + Math.round(history * 1.05) - missing;
    const usage = {
      input_tokens: 4,
      cache_read_input_tokens: all - 904,
      cache_creation_input_tokens: 900,
      output_tokens: Math.round(text.length / 5),
    };
    const message = {
      id: `msg_${lines.length}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'text', text }],
      usage,
    };
    history += Math.round(text.length / 5);
    push('assistant', { message });
  };
  for (let turn = 0; turn < turns; turn++) {
    ask(`Question ${turn}: ${WORDS}`);
    answer(`Answer ${turn}: ${WORDS}`);
  }
  const before = history;
  push('system', {
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    logicalParentUuid: parent,
    compactMetadata: { trigger: 'auto', preTokens: 20_000 + before, postTokens: 21_000 },
  });
  history = 0;
  const summary = `This session is being continued. Summary: the parser was read, ${turns} questions were answered.`;
  history += Math.round(summary.length / 5);
  push('user', { isCompactSummary: true, message: { role: 'user', content: summary } });
  const dropTurn = Math.floor(turns / 2);
  for (let turn = 0; turn < turns; turn++) {
    ask(`Later question ${turn}: ${WORDS}`);
    answer(`Later answer ${turn}: ${WORDS}`, turn >= dropTurn ? 15_000 : 0);
  }
  return { text: `${lines.join('\n')}\n`, summaryIndex: 2 * turns, dropIndex: 2 * turns + 1 + 2 * dropTurn + 1 };
}
