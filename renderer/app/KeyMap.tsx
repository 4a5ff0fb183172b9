import './keyMap.css';
import { printed } from '../keys/keys.ts';
import { useCommands } from '../state/context.tsx';
import type { DialogProps } from '../state/dialog.ts';
import { usePlatform } from '../state/usePlatform.ts';
import { Modal } from '../ui/Modal.tsx';

const IN_LIST: readonly (readonly [string, string])[] = [
  ['↑ ↓  J K', 'Move by rows'],
  ['PgUp PgDn', 'Move by pages'],
  ['Home End', 'First and last row'],
  ['Enter', 'Open or close the row'],
  ['Esc', 'Clear the selection'],
];

const IN_POLICY: readonly (readonly [string, string])[] = [
  ['Enter', 'Open or close the stage'],
  ['Alt ↑ ↓', 'Move the stage'],
  ['Del', 'Remove the stage'],
  ['← →', 'On the cache strip: from break to break'],
];

const IN_FIND: readonly (readonly [string, string])[] = [
  ['Enter', 'Next place'],
  ['Shift Enter', 'Previous place'],
  ['Esc', 'Close the find bar'],
  ['← →', 'On the find strip: from change to change'],
];

/** All keys, from the list of commands. */
export function KeyMap({ onClose }: DialogProps<'keys'>) {
  const all = useCommands();
  const platform = usePlatform();
  const groups = [...new Set(all.map((one) => one.group))];
  return (
    <Modal title="Keyboard" onClose={onClose} width={720} testId="key-map" isRead>
      <div className="key-map">
        <Lines title="In the panes" lines={IN_LIST} />
        <Lines title="On the policy panel" lines={IN_POLICY} />
        <Lines title="In the find bar" lines={IN_FIND} />
        {groups.map((group) => {
          const commands = all.filter((one) => one.group === group && one.keys);
          if (commands.length === 0) return null;
          return (
            <section key={group}>
              <h3>{group}</h3>
              {commands.map((one) => (
                <div key={one.id} className="key-line">
                  <span>{one.title}</span>
                  <kbd>{one.keys?.map((chord) => printed(chord, platform)).join('  ')}</kbd>
                </div>
              ))}
            </section>
          );
        })}
      </div>
    </Modal>
  );
}

function Lines(props: { readonly title: string; readonly lines: readonly (readonly [string, string])[] }) {
  return (
    <section>
      <h3>{props.title}</h3>
      {props.lines.map(([keys, title]) => (
        <div key={keys} className="key-line">
          <span>{title}</span>
          <kbd>{keys}</kbd>
        </div>
      ))}
    </section>
  );
}
