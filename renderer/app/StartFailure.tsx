import { CircleAlert } from 'lucide-react';
import { toProtocolError } from '../state/engine.ts';
import { Seen } from '../ui/Seen.tsx';

function titleOf(code: string): string {
  if (code.startsWith('store.')) return 'The library could not be opened.';
  return code === 'host.no_session' ? 'This page is not connected to Parallax.' : 'Parallax could not start.';
}

/** Shown when the program cannot reach its engine at all, or the engine cannot open the library; says which, and why. */
export function StartFailure({ thrown }: { readonly thrown: unknown }) {
  const { code, message } = toProtocolError(thrown);
  return (
    <main className="lost" role="alert">
      <div className="lost-box">
        <CircleAlert size={20} />
        <p>
          <b>{titleOf(code)}</b> <Seen text={message} />
        </p>
        <button type="button" className="button" onClick={() => location.reload()}>
          Try again
        </button>
      </div>
    </main>
  );
}
