import { useRulesField } from './ChecksBar.tsx';
import type { OpenRules } from './openRules.ts';
import { typedRules } from './useChecks.ts';
import { EXAMPLE } from './words.ts';

interface Props {
  readonly onOpen: OpenRules;
  readonly onWrite: () => void;
}

/** Nothing is chosen yet: what rules are, and how to begin. */
export function FirstRules({ onOpen, onWrite }: Props) {
  const file = useRulesField(onOpen);
  return (
    <section className="mode-first" data-testid="checks-first">
      <h2>No rules yet: start from an example.</h2>
      <p className="mute">
        A rule says what must hold of a session: a text that is in the request, a limit of tokens or cost, nothing
        forgotten. The same file is what <span className="mono">parallax check</span> runs in CI.
      </p>
      <p className="checks-choices">
        <button
          type="button"
          className="button button-primary"
          data-testid="checks-example"
          onClick={() => onOpen(typedRules(EXAMPLE), false)}
        >
          Start from an example
        </button>
        <button type="button" className="button" onClick={file.choose}>
          Open a file of rules…
        </button>
        <button type="button" className="button" onClick={onWrite}>
          Write them here
        </button>
      </p>
      <p className="faint">YAML or JSON; a file can be dropped here, with its baseline.</p>
      {file.field}
    </section>
  );
}
