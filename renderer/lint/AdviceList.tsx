import { Check } from 'lucide-react';
import type { LintFindingInfo } from '../../core/protocol/types.ts';
import { usePolicyEdit } from '../state/usePolicyEdit.ts';

/** What a finding says in full, and ways out of it that change the policy or the request. */
export function AdviceList({ text, advice }: Pick<LintFindingInfo, 'text' | 'advice'>) {
  const edit = usePolicyEdit();
  return (
    <div className="lint-advice" data-testid="lint-advice">
      <p>{text}</p>
      <ul>
        {advice.map(({ title, help, spec }) => (
          <li key={title}>
            <div className="grow">
              <b>{title}</b>
              <p className="mute">{help}</p>
            </div>
            {spec !== null && (
              <button type="button" className="button" onClick={() => edit(() => spec)}>
                <Check size={13} aria-hidden /> Apply
              </button>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
