import { Seen } from '../ui/Seen.tsx';
import './relations.css';
import { Bot } from 'lucide-react';
import type { TranscriptLink } from '../../core/protocol/types.ts';
import { printed } from '../keys/keys.ts';
import { useActions } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';

interface Props {
  readonly spawned: TranscriptLink;
  /** False where the row says its title already. */
  readonly isNamed: boolean;
}

/** On the row of a call: opens the sub-agent that it started. */
export function SpawnLink({ spawned, isNamed }: Props) {
  const { open } = useActions();
  const platform = usePlatform();
  return (
    <button
      type="button"
      className="chip spawn-link"
      // The list keeps the focus: by key it is Alt+Down on the selected row.
      tabIndex={-1}
      title={`Open the sub-agent: ${spawned.title} (${printed('alt+down', platform)})`}
      onClick={(event) => {
        event.stopPropagation();
        void open(spawned.id);
      }}
      onDoubleClick={(event) => event.stopPropagation()}
      data-testid="spawn-link"
      data-id={spawned.id}
    >
      <Bot size={11} aria-hidden />
      <span className="ellipsis" dir="auto">
        <Seen text={isNamed ? spawned.title : 'sub-agent'} />
      </span>
    </button>
  );
}

/** In the drawer: the sub-agent that a call started; nothing if there is none. */
export function ChildLinkOf({ child }: { readonly child: TranscriptLink }) {
  const { open } = useActions();
  return (
    <button type="button" className="link child-link" onClick={() => void open(child.id)} data-testid="child-link">
      <Bot size={12} aria-hidden />{' '}
      <span className="ellipsis">
        <Seen text={child.title} />
      </span>
    </button>
  );
}
