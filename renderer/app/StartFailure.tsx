import { CircleAlert } from 'lucide-react';

/** Shown when the program cannot reach its engine at all. */
export function StartFailure({ message }: { readonly message: string }) {
  return (
    <main className="lost" role="alert">
      <div className="lost-box">
        <CircleAlert size={20} />
        <p>
          <b>Parallax could not start.</b> {message}
        </p>
        <button type="button" className="button" onClick={() => location.reload()}>
          Try again
        </button>
      </div>
    </main>
  );
}
