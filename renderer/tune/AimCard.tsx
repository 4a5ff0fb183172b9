import type { Aim } from '../../core/protocol/tuneTypes.ts';
import { useAppState } from '../state/context.tsx';
import { plural } from '../ui/format.ts';
import { Segmented } from '../ui/Segmented.tsx';
import type { Drafting } from './useDraft.ts';

type AimChoice = Aim | 'none';

const AIMS: readonly { readonly value: AimChoice; readonly title: string }[] = [
  { value: 'none', title: 'none' },
  { value: 'money', title: 'money' },
  { value: 'tokens', title: 'tokens' },
  { value: 'uses', title: 'uses' },
];

/** What is to be as small as possible, and what a point must keep to. */
export function AimCard({ drafting: { draft, change } }: { readonly drafting: Drafting }) {
  const watched = useAppState((state) => state.watch.list?.length ?? 0);
  return (
    <section aria-label="Tune for me">
      <h3 className="tune-panel-head">Tune for me</h3>
      <div className="tune-card">
        <div className="tune-line">
          <span>Aim</span>
          <Segmented
            label="Aim"
            value={draft.aim ?? 'none'}
            options={AIMS}
            onChange={(aim) => change({ aim: aim === 'none' ? null : aim })}
          />
        </div>
        <NumberLine
          label="Peak at most"
          testId="tune-max-peak"
          value={draft.maxPeak}
          onChange={(maxPeak) => change({ maxPeak })}
        />
        <NumberLine
          label="Uses gone at most"
          testId="tune-max-uses"
          value={draft.maxUsesGone}
          onChange={(maxUsesGone) => change({ maxUsesGone })}
        />
        <label className="tune-keep">
          Texts to keep, one a line{watched > 0 && ` (and ${plural(watched, 'watched text')})`}
          <textarea
            className="field"
            rows={2}
            data-testid="tune-keep"
            value={draft.keep}
            spellCheck={false}
            onChange={({ target }) => change({ keep: target.value })}
          />
        </label>
      </div>
    </section>
  );
}

interface LineProps {
  readonly label: string;
  readonly testId: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
}

function NumberLine({ label, testId, value, onChange }: LineProps) {
  return (
    <label className="tune-line">
      <span>{label}</span>
      <input
        className="field tune-number mono num"
        data-testid={testId}
        inputMode="numeric"
        autoComplete="off"
        placeholder="any"
        value={value === null ? '' : String(value)}
        onChange={({ target }) => {
          const digits = target.value.replaceAll(/[^\d]/g, '').slice(0, 12);
          onChange(digits === '' ? null : Number(digits));
        }}
      />
    </label>
  );
}
