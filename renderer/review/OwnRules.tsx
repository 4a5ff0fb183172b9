import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { ScrubRules } from '../../core/protocol/reviewTypes.ts';
import { Segmented } from '../ui/Segmented.tsx';

interface Props {
  readonly rules: ScrubRules;
  /** Answers what is wrong with them; null = nothing. */
  readonly onChange: (rules: ScrubRules) => Promise<string | null>;
}

type Sort = 'words' | 'patterns';
const SORTS = [
  { value: 'words', title: 'Word' },
  { value: 'patterns', title: 'Expression' },
] as const;

/** Words and regular expressions of this library that are masked besides what is found. */
export function OwnRules({ rules, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [sort, setSort] = useState<Sort>('words');
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const put = async (next: ScrubRules) => {
    const wrong = await onChange(next);
    setProblem(wrong);
    return wrong === null;
  };
  const add = async () => {
    if (text.trim() === '') return;
    if (await put({ ...rules, [sort]: [...rules[sort], text.trim()] })) setText('');
  };
  const remove = (of: Sort, gone: string) => put({ ...rules, [of]: rules[of].filter((one) => one !== gone) });
  return (
    <section className="review-rules" aria-label="Own words">
      <ul>
        {SORTS.flatMap(({ value }) =>
          rules[value].map((one) => (
            <li key={`${value} ${one}`} className="review-rule">
              <span className="mono ellipsis grow">{value === 'patterns' ? `/${one}/` : one}</span>
              <button
                type="button"
                className="icon-button"
                aria-label={`Remove ${one}`}
                onClick={() => void remove(value, one)}
              >
                <X size={13} aria-hidden />
              </button>
            </li>
          )),
        )}
      </ul>
      {isOpen ? (
        <form
          className="review-rule-form"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <Segmented label="Kind of rule" value={sort} options={SORTS} onChange={setSort} />
          <input
            className="field"
            // biome-ignore lint/a11y/noAutofocus: it was just asked for
            autoFocus
            aria-label={sort === 'words' ? 'Own word' : 'Own expression'}
            aria-invalid={problem !== null}
            placeholder={sort === 'words' ? 'Project Heron' : 'ACME-\\d{4}'}
            value={text}
            data-testid="review-rule"
            onChange={(event) => setText(event.target.value)}
          />
          <button type="submit" className="button" disabled={text.trim() === ''}>
            Add
          </button>
        </form>
      ) : (
        <button type="button" className="text-button" data-testid="review-add-rule" onClick={() => setOpen(true)}>
          <Plus size={13} aria-hidden /> Own word or expression…
        </button>
      )}
      {problem !== null && (
        <p className="finding finding-error" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}
