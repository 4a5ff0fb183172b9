// A session of Claude Code that went back once and started two sub-agents: one in a file of its own, one in lines of
// the same file.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Block = Readonly<Record<string, unknown>>;

interface Line {
  readonly uuid: string;
  readonly parent: string | null;
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly Block[];
  readonly agentId?: string;
  readonly result?: Block;
}

const SESSION = 'related-session';

function lineOf({ uuid, parent, role, content, agentId, result }: Line, at: number): string {
  const model = role === 'assistant' ? { id: `msg_${uuid}`, type: 'message', model: 'claude-sonnet-4-5' } : {};
  return JSON.stringify({
    parentUuid: parent,
    isSidechain: agentId !== undefined,
    ...(agentId === undefined ? {} : { agentId }),
    cwd: '/home/dev/harbour',
    sessionId: SESSION,
    version: '2.0.14',
    type: role,
    message: { role, content, ...model },
    uuid,
    timestamp: new Date(Date.UTC(2026, 0, 5, 9, at)).toISOString(),
    ...(result === undefined ? {} : { toolUseResult: result }),
  });
}

/** Lines of messages one after the other, each the next one's parent. */
function chain(
  prefix: string,
  after: string | null,
  messages: readonly Pick<Line, 'role' | 'content' | 'agentId' | 'result'>[],
) {
  return messages.map((message, i): Line => {
    return { ...message, uuid: `${prefix}${i}`, parent: i === 0 ? after : `${prefix}${i - 1}` };
  });
}

const says = (role: Line['role'], text: string) => ({ role, content: [{ type: 'text', text }] });
const task = (id: string, prompt: string) => ({
  role: 'assistant' as const,
  content: [{ type: 'tool_use', id, name: 'Task', input: { description: prompt, prompt } }],
});
const answer = (id: string, text: string, agentId: string) => ({
  role: 'user' as const,
  content: [{ type: 'tool_result', tool_use_id: id, content: text }],
  result: { agentId, status: 'completed' },
});

const small = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => says(i % 2 === 0 ? 'user' : 'assistant', `Step ${from + i} of the survey.`));

/** Messages before the first call that starts an agent. */
const BEFORE = 40;
/** Messages shared by both branches: those before, two calls with their results, an answer. */
export const FORK = BEFORE + 5;
/** Where the calls stand. */
export const CALLS = { file: BEFORE, inline: BEFORE + 2 } as const;

/** The session's lines. */
export function relatedSession(): string {
  const trunk = chain('t', null, [
    ...small(0, BEFORE),
    task('call-depth', 'Sound the depth of the basin'),
    answer('call-depth', 'Four fathoms at low water.', 'depth'),
    task('call-wind', 'Read the wind at the mole'),
    answer('call-wind', 'South-west, five.', 'wind'),
    says('assistant', 'Both readings are in.'),
  ]);
  const inline = chain('w', null, [
    { role: 'user', content: 'Read the wind at the mole', agentId: 'wind' },
    { ...says('assistant', 'The vane points south-west.'), agentId: 'wind' },
  ]);
  const tip = trunk.at(-1)?.uuid ?? null;
  const left = chain('l', tip, [
    ...small(100, 30),
    says('user', 'Build the quay of oak.'),
    says('assistant', 'Oak it is.'),
  ]);
  const active = chain('a', tip, [
    says('user', 'Build the quay of stone.'),
    ...small(201, 28),
    says('assistant', 'Stone it is.'),
  ]);
  const lines = [...trunk.slice(0, BEFORE + 3), ...inline, ...trunk.slice(BEFORE + 3), ...left, ...active];
  return `${lines.map(lineOf).join('\n')}\n`;
}

/** The session's lines in two pieces: what is written before the tool goes back, and from there on. */
export function relatedGrowth(): { readonly before: readonly string[]; readonly rest: readonly string[] } {
  const lines = relatedSession().trimEnd().split('\n');
  const back = lines.findIndex((line) => line.includes('quay of stone'));
  return { before: lines.slice(0, back), rest: lines.slice(back) };
}

/** The lines of the agent that has a file of its own. */
export function relatedAgent(): string {
  const lines = chain('d', null, [
    { role: 'user', content: 'Sound the depth of the basin', agentId: 'depth' },
    { ...says('assistant', 'Lowering the lead line.'), agentId: 'depth' },
    { role: 'user', content: 'Go on.', agentId: 'depth' },
    { ...says('assistant', 'Four fathoms at low water.'), agentId: 'depth' },
  ]);
  return `${lines.map(lineOf).join('\n')}\n`;
}

/** Writes both as Claude Code lays them out; their paths. */
export function writeRelatedSessions(dir: string): { readonly session: string; readonly agent: string } {
  const session = join(dir, `${SESSION}.jsonl`);
  const agents = join(dir, SESSION, 'subagents');
  mkdirSync(agents, { recursive: true });
  writeFileSync(session, relatedSession());
  const agent = join(agents, 'agent-depth.jsonl');
  writeFileSync(agent, relatedAgent());
  return { session, agent };
}
