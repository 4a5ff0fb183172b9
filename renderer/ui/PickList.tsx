import './cmdk.css';
import './pickList.css';
import { Command } from 'cmdk';
import { Check, Search } from 'lucide-react';
import { Popover } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { matchScore } from './matchScore.ts';

/** Something to choose. */
export interface PickItem {
  readonly name: string;
  readonly title: string;
  /** One or two sentences under the title. */
  readonly note?: string | undefined;
  /** What it would do, in two words behind its title; the whole of it for the pointer and for screen readers. */
  readonly effect?: { readonly words: string; readonly title: string; readonly tone: 'plain' | 'warning' } | undefined;
  readonly isChosen?: boolean;
}

export interface PickGroup {
  readonly title: string;
  readonly items: readonly PickItem[];
}

interface Props {
  /** What is chosen here, for screen readers. */
  readonly label: string;
  readonly placeholder: string;
  readonly groups: readonly PickGroup[];
  /** What is said if there is nothing to choose from. */
  readonly empty: string;
  readonly onPick: (name: string) => void;
  /** Stands between the field and the list. */
  readonly head?: ReactNode;
  /** The trigger. */
  readonly children: ReactNode;
}

/** A long list in groups, narrowed by typing. Arrow keys and Enter; Esc closes. */
export function PickList({ label, placeholder, groups, empty, onPick, head, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      {children}
      <Popover.Portal>
        <Popover.Content className="popover pick-list" align="start" sideOffset={4} collisionPadding={8}>
          <Command label={label} loop filter={matchScore} data-testid="pick-list">
            <div className="pick-field">
              <Search size={13} aria-hidden />
              <Command.Input placeholder={placeholder} />
            </div>
            {head}
            <Command.List>
              <Command.Empty>{count === 0 ? empty : 'Nothing matches.'}</Command.Empty>
              {groups.map(({ title, items }) => (
                <Command.Group key={title} heading={title}>
                  {items.map((item) => (
                    <PickLine
                      key={item.name}
                      item={item}
                      group={title}
                      onPick={() => {
                        setOpen(false);
                        onPick(item.name);
                      }}
                    />
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function PickLine(props: { readonly item: PickItem; readonly group: string; readonly onPick: () => void }) {
  const { name, title, note, effect, isChosen } = props.item;
  return (
    <Command.Item value={`${title} ${name} ${props.group}`} data-name={name} onSelect={props.onPick}>
      <b>
        {title} {isChosen && <Check size={13} aria-label="chosen" />}
        {effect && (
          <i className="pick-effect" data-tone={effect.tone} title={effect.title}>
            {effect.words}
          </i>
        )}
      </b>
      {note !== undefined && <span className="mute">{note}</span>}
    </Command.Item>
  );
}
