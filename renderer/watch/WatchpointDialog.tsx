import { Seen } from '../ui/Seen.tsx';
import './watch.css';
import { type FormEvent, useState } from 'react';
import type { Watchpoint } from '../../core/protocol/watchTypes.ts';
import { filterColor } from '../filter/colors.ts';
import { useActions, useAppState } from '../state/context.tsx';
import type { DialogProps } from '../state/dialog.ts';
import { Modal } from '../ui/Modal.tsx';

const COLORS = [0, 1, 2, 3, 4, 5] as const;
const COLOR_NAMES = ['Blue', 'Pink', 'Green', 'Amber', 'Violet', 'Red'] as const;

/** Names, colours, moves or removes a watched text. */
export function WatchpointDialog({ dialog: { id }, onClose }: DialogProps<'watchpoint'>) {
  const list = useAppState((state) => state.watch.list);
  const position = list?.findIndex((one) => one.id === id) ?? -1;
  const one = list?.[position];
  if (one === undefined) return null;
  return <Edit watchpoint={one} position={position} last={(list?.length ?? 1) - 1} onClose={onClose} />;
}

interface EditProps {
  readonly watchpoint: Watchpoint;
  readonly position: number;
  readonly last: number;
  readonly onClose: () => void;
}

function Edit({ watchpoint, position, last, onClose }: EditProps) {
  const { setWatchpoint, removeWatchpoint } = useActions();
  const [name, setName] = useState(watchpoint.name ?? '');
  const save = async (event: FormEvent) => {
    event.preventDefault();
    await setWatchpoint(watchpoint.id, { name: name.trim() === '' ? null : name.trim() });
    onClose();
  };
  const remove = async () => {
    onClose();
    await removeWatchpoint(watchpoint.id);
  };
  const move = (to: number) => void setWatchpoint(watchpoint.id, { position: to });
  return (
    <Modal
      title="Watched text"
      onClose={onClose}
      width={480}
      testId="watchpoint-dialog"
      footer={
        <>
          <button type="button" className="button" data-testid="watchpoint-remove" onClick={() => void remove()}>
            Stop watching
          </button>
          <span className="grow" />
          <button type="button" className="button" disabled={position === 0} onClick={() => move(position - 1)}>
            Move up
          </button>
          <button type="button" className="button" disabled={position === last} onClick={() => move(position + 1)}>
            Move down
          </button>
          <button type="submit" form="watchpoint" className="button button-primary" data-testid="watchpoint-save">
            Save
          </button>
        </>
      }
    >
      <form id="watchpoint" className="watch-form" onSubmit={(event) => void save(event)}>
        <pre className="watch-text">
          <Seen text={watchpoint.text} />
        </pre>
        <p className="mute">{describeSwitches(watchpoint)}</p>
        <input
          className="field"
          aria-label="Name"
          placeholder="Name (its text without one)"
          value={name}
          maxLength={200}
          data-autofocus
          data-testid="watchpoint-name"
          onChange={({ target }) => setName(target.value)}
        />
        <Colors chosen={watchpoint.color} choose={(color) => void setWatchpoint(watchpoint.id, { color })} />
      </form>
    </Modal>
  );
}

function Colors({ chosen, choose }: { readonly chosen: number; readonly choose: (color: number) => void }) {
  return (
    <fieldset className="watch-colors" aria-label="Colour">
      {COLORS.map((color) => (
        <button
          key={color}
          type="button"
          aria-pressed={color === chosen}
          aria-label={COLOR_NAMES[color]}
          title={COLOR_NAMES[color]}
          onClick={() => choose(color)}
        >
          <i style={{ background: filterColor(color) }} aria-hidden />
        </button>
      ))}
    </fieldset>
  );
}

function describeSwitches({ matchCase, wholeWord }: Watchpoint): string {
  const ways = [matchCase ? 'case as written' : 'upper and lower case alike', ...(wholeWord ? ['whole words'] : [])];
  return `Compared: ${ways.join(', ')}; runs of white space alike.`;
}
