import './welcome.css';
import { FileDown } from 'lucide-react';
import { printed } from '../keys/keys.ts';
import { importFiles } from '../library/importFiles.ts';
import { useApp, useAppState, useHost } from '../state/context.tsx';
import { usePlatform } from './useGlobalKeys.ts';

const SOURCES: readonly { readonly name: string; readonly where: string }[] = [
  { name: 'Claude Code', where: '~/.claude/projects/…/*.jsonl' },
  { name: 'Codex CLI', where: '~/.codex/sessions/…/rollout-*.jsonl' },
  { name: 'Gemini CLI, Copilot CLI, OpenCode, OpenHands, pi', where: 'their session files' },
  { name: 'Chat requests', where: 'OpenAI chat and responses, Anthropic messages, Gemini contents: JSON or JSONL' },
  { name: 'Frameworks and traces', where: 'Inspect, LangChain, AI SDK, AutoGen, OpenTelemetry, Langfuse, Harn' },
  { name: 'Benchmarks', where: 'SWE-agent, mini-SWE-agent, Moatless, tau2, ATIF' },
];

/** What can be done while no transcript is open. */
export function Welcome() {
  const app = useApp();
  const host = useHost();
  const platform = usePlatform();
  const transcripts = useAppState((state) => state.library.transcripts);
  // Until the library is read nobody knows which words are right.
  if (transcripts === null) return <main className="welcome" />;
  return (
    <main className="welcome">
      <div className="welcome-body">
        <FileDown size={28} strokeWidth={1.4} className="faint" />
        <h1>{transcripts.length === 0 ? 'Import a transcript to begin' : 'Choose a transcript, or import another'}</h1>
        <p className="mute">
          Drop files anywhere in this window. Every byte is kept; nothing leaves this machine. The format is found by
          content, not by name.
        </p>
        <button
          type="button"
          className="button button-primary welcome-button"
          onClick={() => void importFiles({ app, host })}
        >
          Import transcripts… <kbd>{printed('mod+o', platform)}</kbd>
        </button>
        <dl className="welcome-sources">
          {SOURCES.map(({ name, where }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="mute">{where}</dd>
            </div>
          ))}
        </dl>
      </div>
    </main>
  );
}
