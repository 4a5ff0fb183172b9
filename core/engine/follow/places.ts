// Where the tools keep their sessions. Looking costs a listing; nothing is opened before somebody says so.

import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DiscoveredPlace, MissingPlace } from '../../protocol/types.ts';
import { type FoundFile, walk } from './walk.ts';

/** A folder where a tool keeps sessions, under the environment it runs in. */
export interface KnownPlace {
  readonly tool: string;
  readonly path: string;
  /** Files that can be sessions, by name. */
  readonly files: RegExp;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The places of the tools that are read, for a home folder and an environment (CLAUDE_CONFIG_DIR, CODEX_HOME, XDG_*). */
export function knownPlaces(home: string, env: Env): readonly KnownPlace[] {
  const from = (name: string, ...otherwise: string[]) => env[name] || join(home, ...otherwise);
  const data = from('XDG_DATA_HOME', '.local', 'share');
  const state = from('XDG_STATE_HOME', '.local', 'state');
  return [
    { tool: 'Claude Code', path: join(from('CLAUDE_CONFIG_DIR', '.claude'), 'projects'), files: /\.jsonl$/ },
    { tool: 'Codex', path: join(from('CODEX_HOME', '.codex'), 'sessions'), files: /\.jsonl$/ },
    { tool: 'pi', path: join(from('PI_CODING_AGENT_DIR', '.pi', 'agent'), 'sessions'), files: /\.jsonl$/ },
    { tool: 'OpenClaw', path: join(from('OPENCLAW_STATE_DIR', '.openclaw'), 'agents'), files: /\.jsonl$/ },
    { tool: 'OpenCode', path: join(data, 'opencode'), files: /\.jsonl?$/ },
    { tool: 'Gemini CLI', path: join(home, '.gemini', 'tmp'), files: /session-.*\.jsonl?$|chats[/\\].*\.jsonl?$/ },
    { tool: 'Copilot CLI', path: from('COPILOT_HOME', '.copilot'), files: /session-state[/\\].*\.jsonl$/ },
    { tool: 'Copilot CLI', path: join(state, '.copilot'), files: /session-state[/\\].*\.jsonl$/ },
  ];
}

/** The known places: those that are there and hold anything, by what lies in them now, and where else was looked. */
export async function discover(
  signal: AbortSignal,
  home = homedir(),
  env: Env = process.env,
): Promise<{ readonly places: readonly DiscoveredPlace[]; readonly missing: readonly MissingPlace[] }> {
  const found = new Map<string, DiscoveredPlace>();
  const missing: MissingPlace[] = [];
  for (const { tool, path, files } of knownPlaces(home, env)) {
    const { files: all } = await walk(path, signal);
    const sessions = all.filter((file) => files.test(file.path));
    if (found.has(path)) continue;
    if (sessions.length === 0) {
      missing.push({ tool, path });
      continue;
    }
    const bytes = sessions.reduce((sum, file) => sum + file.bytes, 0);
    const newest = Math.max(...sessions.map(({ mtimeMs }) => mtimeMs));
    found.set(path, { tool, path, files: sessions.length, bytes, newestAt: new Date(newest).toISOString() });
  }
  const tools = new Set([...found.values()].map(({ tool }) => tool));
  return { places: [...found.values()], missing: missing.filter(({ tool }) => !tools.has(tool)) };
}

/** The files of a known place that can be sessions; of any other path none. */
export async function filesOf(
  path: string,
  signal: AbortSignal,
  home = homedir(),
  env: Env = process.env,
): Promise<readonly FoundFile[]> {
  const place = knownPlaces(home, env).find((one) => one.path === path);
  if (place === undefined) return [];
  const { files } = await walk(path, signal);
  return files.filter((file) => place.files.test(file.path));
}
