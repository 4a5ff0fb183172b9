import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { printed } from '../keys/keys.ts';
import { useCommands } from '../state/context.tsx';
import { usePlatform } from '../state/usePlatform.ts';

/** Keys of the list of messages. */
const LIST: readonly (readonly [string, string])[] = [
  ['↑ ↓ J K', 'Previous or next row'],
  ['Enter', 'Open or close a row'],
  ['Esc', 'Select nothing'],
];

/** The keys of the page. */
export function PageKeys({ onClose }: { readonly onClose: () => void }) {
  const commands = useCommands();
  const platform = usePlatform();
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  const lines = commands.flatMap(({ title, keys: [key] = [] }) =>
    key ? [[printed(key, platform), title] as const] : [],
  );
  return (
    <dialog ref={box} className="page-keys" aria-labelledby="page-keys-title" onClose={onClose}>
      <div className="page-keys-head">
        <h2 id="page-keys-title">Keyboard</h2>
        <span className="grow" />
        <button type="button" className="icon-button" aria-label="Close" onClick={() => box.current?.close()}>
          <X size={15} aria-hidden />
        </button>
      </div>
      <dl>
        {[...LIST, ...lines].map(([keys, title]) => (
          <div key={title}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{title}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
