import { Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type AskedVariation, type TuneOption, VARIED_MOST } from '../../core/protocol/tuneTypes.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { AimCard } from './AimCard.tsx';
import { EarlierSweeps } from './EarlierSweeps.tsx';
import { FoundCard } from './FoundCard.tsx';
import { type Drafting, optionOf, variationOf } from './useDraft.ts';
import type { ShownSweep } from './useSweep.ts';
import { ValueChips } from './ValueChips.tsx';

/** What varies, what is looked for, what was found, and the sweeps of before. */
export function TunePanel({ sweep, drafting }: { readonly sweep: ShownSweep; readonly drafting: Drafting }) {
  return (
    <aside className="tune-panel" aria-label="What varies">
      <VaryCards sweep={sweep} drafting={drafting} />
      <AimCard drafting={drafting} />
      {sweep.info !== null && <FoundCard info={sweep.info} />}
      <EarlierSweeps sweep={sweep} />
    </aside>
  );
}

function VaryCards({ sweep, drafting }: { readonly sweep: ShownSweep; readonly drafting: Drafting }) {
  const { draft, change, options, error } = drafting;
  const free = options.filter((one) => !draft.vary.some((each) => isSame(each, one)));
  const next = free[0];
  const replace = (at: number, ...by: readonly AskedVariation[]) =>
    change({ vary: draft.vary.toSpliced(at, 1, ...by) });
  const { adds, added, setAdded, removes } = useFocusOfCards(draft.vary.length);
  // Where all are of one stage, it goes without saying.
  const isOneStage = options.every(({ stage }) => stage === options[0]?.stage);
  return (
    <section aria-label="Vary">
      <h3 className="tune-panel-head">Vary</h3>
      {error !== null && <p className="drawer-error">{error}</p>}
      {draft.vary.map((varied, at) => (
        <VaryCard
          // biome-ignore lint/suspicious/noArrayIndexKey: its select stays, with the focus, whichever option is chosen in it
          key={at}
          isOneStage={isOneStage}
          takesFocus={at === added}
          varied={varied}
          choices={options.filter((one) => isSame(one, varied) || free.includes(one))}
          found={sweep.info?.axes.find((axis) => isSame(axis, varied))?.values ?? []}
          onChange={(changed) => replace(at, changed)}
          onRemove={() => {
            removes();
            replace(at);
          }}
        />
      ))}
      {draft.vary.length < VARIED_MOST && next !== undefined && (
        <button
          ref={adds}
          type="button"
          className="text-button tune-add"
          data-testid="tune-add"
          onClick={() => {
            setAdded(draft.vary.length);
            change({ vary: [...draft.vary, variationOf(next)] });
          }}
        >
          <Plus size={13} aria-hidden /> {draft.vary.length === 0 ? 'Option…' : 'Another option…'}
        </button>
      )}
    </section>
  );
}

/** A card that somebody adds has the focus, and after one is taken away what adds another: what had it is gone. */
function useFocusOfCards(count: number) {
  const adds = useRef<HTMLButtonElement>(null);
  const [added, setAdded] = useState<number | null>(null);
  const isRemoved = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the cards are others
  useEffect(() => {
    if (isRemoved.current) adds.current?.focus();
    isRemoved.current = false;
  }, [count]);
  const removes = () => {
    setAdded(null);
    isRemoved.current = true;
  };
  return { adds, added, setAdded, removes };
}

function focusOn(element: HTMLElement | null): void {
  element?.focus();
}

function isSame(a: Pick<AskedVariation, 'stage' | 'option'>, b: Pick<AskedVariation, 'stage' | 'option'>): boolean {
  return a.stage === b.stage && a.option === b.option;
}

interface CardProps {
  readonly varied: AskedVariation;
  readonly choices: readonly TuneOption[];
  readonly isOneStage: boolean;
  /** It was added just now. */
  readonly takesFocus: boolean;
  /** The values that the sweep on screen took. */
  readonly found: Parameters<typeof ValueChips>[0]['found'];
  readonly onChange: (varied: AskedVariation) => void;
  readonly onRemove: () => void;
}

function VaryCard({ varied, choices, isOneStage, takesFocus, found, onChange, onRemove }: CardProps) {
  const option = optionOf(choices, varied);
  const label = option?.label ?? varied.option;
  return (
    <div className="tune-card" data-testid="tune-vary">
      <div className="tune-card-head">
        <select
          ref={takesFocus ? focusOn : null}
          className="field"
          aria-label="Option that varies"
          value={`${varied.stage}.${varied.option}`}
          onChange={({ target }) => {
            const chosen = choices.find((one) => `${one.stage}.${one.option}` === target.value);
            if (chosen) onChange(variationOf(chosen));
          }}
        >
          {choices.map((one) => (
            <option key={`${one.stage}.${one.option}`} value={`${one.stage}.${one.option}`}>
              {isOneStage ? one.label : `${one.label} · ${one.stageTitle}`}
            </option>
          ))}
        </select>
        <IconButton label={`Do not vary ${label}`} onClick={onRemove}>
          <X size={13} aria-hidden />
        </IconButton>
      </div>
      <input
        className="field mono"
        aria-label={`Values of ${label}`}
        data-testid="tune-values"
        autoComplete="off"
        spellCheck={false}
        value={varied.values}
        onChange={({ target }) => onChange({ ...varied, values: target.value })}
      />
      <p className="faint tune-hint">{hintOf(option)}</p>
      <ValueChips found={found} values={varied.values} onChange={(values) => onChange({ ...varied, values })} />
    </div>
  );
}

function hintOf(option: TuneOption | null): string {
  if (typeof option?.now !== 'number') return 'Values with commas between them.';
  const unit = option.unit === undefined ? '' : ` ${option.now === 1 ? option.unit.replace(/s$/, '') : option.unit}`;
  return `Now ${option.now}${unit}. 4..64:4, 4,8,16 or critical.`;
}
