/** A policy to start from. */
export interface Example {
  readonly title: string;
  readonly help: string;
  readonly code: string;
}

const LAST_TURNS = `/** @type {Policy} */
function project(messages) {
  const TURNS = 3;
  // A turn begins with a user message that is more than tool results.
  const begins = messages.flatMap((message, index) => (beginsTurn(message) ? [index] : []));
  const from = begins.at(-TURNS) ?? 0;
  return {
    messages: messages.filter((message, index) => index >= from || message.role === 'system'),
    reason: \`last \${TURNS} turns\`,
  };
}

function beginsTurn(message) {
  if (message.role !== 'user') return false;
  if (!Array.isArray(message.content)) return true;
  return message.content.some((block) => block.type !== 'tool_result');
}
`;

const SHORTEN = `/** @type {Policy} */
function project(messages) {
  const KEEP = 20;
  const LIMIT = 2000;
  const recent = messages.length - KEEP;
  let cut = 0;

  const shorten = (text) => {
    if (typeof text !== 'string' || text.length <= LIMIT) return text;
    cut += text.length - LIMIT;
    return \`\${text.slice(0, LIMIT)}\\n[… \${text.length - LIMIT} characters left out]\`;
  };

  const result = messages.map((message, index) => {
    if (index >= recent) return message;
    if (message.role === 'tool') return { ...message, content: shorten(message.content) };
    if (!Array.isArray(message.content)) return message;
    const content = message.content.map((block) =>
      block.type === 'tool_result' ? { ...block, content: shorten(block.content) } : block,
    );
    return content.every((block, at) => block.content === message.content[at].content) ? message : { ...message, content };
  });
  console.log('characters cut', cut);
  return result;
}
`;

const REMINDERS = `/** @type {Policy} */
function project(messages) {
  // Reminders that the client wrote, not a person.
  const isReminder = (text) => typeof text === 'string' && text.trimStart().startsWith('<system-reminder>');

  const kept = [];
  messages.forEach((message, index) => {
    const { content } = message;
    const gone = Array.isArray(content)
      ? content.length > 0 && content.every((block) => block.type === 'text' && isReminder(block.text))
      : isReminder(content);
    if (!gone || message.role === 'system') kept.push(index);
  });
  console.log('reminders dropped', messages.length - kept.length);
  return { messages: kept.map((index) => messages[index]), kept_indices: kept, reason: 'without reminders' };
}
`;

/** The examples, from the plainest on. The first is what a new stage starts with. */
export const EXAMPLES: readonly Example[] = [
  {
    title: 'Everything',
    help: 'Returns what it gets: a start.',
    code: `/** @type {Policy} */
function project(messages) {
  return messages;
}
`,
  },
  { title: 'The last turns', help: 'Only the last three turns, and system messages.', code: LAST_TURNS },
  { title: 'Shorten old results', help: 'Cuts long tool results, except the recent ones.', code: SHORTEN },
  { title: 'Without reminders', help: 'Leaves out what the client put in.', code: REMINDERS },
];

/** What a stage with code begins with. */
export const STARTER = EXAMPLES[0]?.code ?? '';
