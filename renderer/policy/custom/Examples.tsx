import { EXAMPLES } from './examples.ts';

/** Policies to start from; choosing one replaces the code (and can be undone). */
export function Examples({ title, onChoose }: { readonly title: string; readonly onChoose: (code: string) => void }) {
  return (
    <section className="examples" aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {EXAMPLES.map((one) => (
          <li key={one.title}>
            <button type="button" className="example" onClick={() => onChoose(one.code)}>
              <b>{one.title}</b>
              <span className="mute">{one.help}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
