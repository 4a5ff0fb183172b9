import { CircleAlert } from 'lucide-react';
import { Seen } from '../search/Seen.tsx';
import { toProtocolError } from '../state/engine.ts';

/** Shown when the program cannot reach its engine at all, or the engine cannot open the library; says which, and why. */
export function StartFailure({ thrown }: { readonly thrown: unknown }) {
  const { code, message } = toProtocolError(thrown);
  const isLibrary = code.startsWith('store.');
  return (
    <main className="lost" role="alert">
      <div className="lost-box">
        <CircleAlert size={20} />
        <p>
          <b>{isLibrary ? 'The library could not be opened.' : 'Parallax could not start.'}</b> <Seen text={message} />
        </p>
        <button type="button" className="button" onClick={() => location.reload()}>
          Try again
        </button>
      </div>
    </main>
  );
}
