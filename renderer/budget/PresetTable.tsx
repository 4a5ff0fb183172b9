import { CircleAlert, LoaderCircle, ShieldAlert, Table2 } from 'lucide-react';
import { isCodeFailure } from '../../core/model/problem.ts';
import { sameStages } from '../../core/projection/policyName.ts';
import { titleParts } from '../../core/projection/presets.ts';
import type { PresetFigure, TokenFigure } from '../../core/protocol/types.ts';
import { AfterSwitch } from '../policy/AfterSwitch.tsx';
import { vendorWord } from '../policy/families.ts';
import { useActions, useAppState } from '../state/context.tsx';
import { useWork } from '../state/useWork.ts';
import { formatTokens } from '../ui/format.ts';
import { moveFocus } from '../ui/moveFocus.ts';
import { listShare } from './figures.ts';
import { wholeRequest } from './gauge.ts';
import { usePresetFigures } from './usePresetFigures.ts';

/** What this turn would cost under each preset; a click applies it. */
export function PresetTable() {
  const { figures, isLoading, error } = usePresetFigures();
  useWork(isLoading ? 'comparing presets' : null);
  const { showDrawer } = useActions();
  const spec = useAppState((state) => state.projection.spec);
  const info = useAppState((state) => state.projection.info);
  // Where it does not run, what is on screen is not what it would send.
  const isFailed = info?.problems.some(isCodeFailure) ?? false;
  const own = info && !isFailed ? wholeRequest(info.projected, info.beside) : null;
  const window = info?.window ?? null;
  const isOwnOver = info?.budget?.overflow != null;
  const totals = [...(figures ?? []).map(({ figure }) => wholeOf(figure)), own?.total ?? 0];
  const current = figures?.findIndex(({ figure }) => sameStages(figure.spec, spec)) ?? -1;
  const isPreset = current >= 0;
  const stop = Math.max(0, current);
  return (
    <section className="card presets" aria-label="This turn under each preset" data-testid="presets-table">
      <div className="presets-head">
        <h3>This turn under each preset</h3>
        <span className="grow" />
        {isLoading && <LoaderCircle size={13} className="spin faint" aria-label="computing" />}
        <button
          type="button"
          className="icon-button"
          aria-label="All presets as a table"
          title="All presets as a table"
          data-testid="presets-open"
          onClick={() => showDrawer('presets')}
        >
          <Table2 size={14} aria-hidden />
        </button>
      </div>
      <AfterSwitch />
      {error && (
        <p className="finding finding-error">
          <CircleAlert size={14} aria-hidden /> <span>Not computed: {error.message}</span>
        </p>
      )}
      {figures === null && !error && <p className="faint">Computing…</p>}
      <ul className="preset-lines" aria-busy={isLoading} onKeyDown={moveLines}>
        {figures !== null && !isPreset && own && (
          <li className="preset-line preset-current">
            <span className="ellipsis">This policy</span>
            <Bar tokens={own} window={window} isOver={isOwnOver} totals={totals} />
          </li>
        )}
        {figures?.map(({ figure, isFinal }, position) => (
          <PresetLine
            key={figure.name}
            figure={figure}
            isFinal={isFinal}
            isCurrent={sameStages(figure.spec, spec)}
            isStop={position === stop}
            window={window}
            totals={totals}
          />
        ))}
      </ul>
    </section>
  );
}

/** Lines of the list that can be applied. */
const moveLines = moveFocus('button.preset-line');

interface LineProps {
  readonly figure: PresetFigure;
  /** Else it answers an older question, and looks so. */
  readonly isFinal: boolean;
  readonly isCurrent: boolean;
  /** The Tab key stops here; arrow keys continue from it. */
  readonly isStop: boolean;
  readonly window: number | null;
  readonly totals: readonly number[];
}

function PresetLine({ figure, isFinal, isCurrent, isStop, window, totals }: LineProps) {
  const { setPolicy } = useActions();
  const whole = wholeOf(figure);
  const vendor = vendorWord(figure.group ?? undefined);
  const [title, after] = titleParts(figure.title);
  const note = [after, vendor].filter((word) => word !== '').join(' · ');
  return (
    <li>
      <button
        type="button"
        className={isCurrent ? 'preset-line preset-current' : 'preset-line'}
        aria-pressed={isCurrent}
        tabIndex={isStop ? 0 : -1}
        data-name={figure.name}
        title={figure.problem ?? (isCurrent ? 'This is the policy now' : `Use ${figure.title}`)}
        onClick={() => setPolicy(figure.spec)}
      >
        <span className="preset-title">
          <span className="ellipsis">{title}</span>
          {figure.blocked && (
            <ShieldAlert size={13} className="preset-blocked" aria-label="blocked by provider safety" />
          )}
          {figure.problem !== null && !figure.blocked && (
            <CircleAlert size={13} className="preset-problem" aria-label="has a problem" />
          )}
          {note !== '' && <span className="faint ellipsis presets-group">{note}</span>}
        </span>
        <Bar
          tokens={{ total: whole, provenance: figure.tokens?.provenance ?? 'estimated' }}
          isFinal={isFinal}
          window={figure.total ?? window}
          isOver={figure.fits === null ? window !== null && whole > window : !figure.fits}
          totals={totals}
        />
      </button>
    </li>
  );
}

function wholeOf({ tokens, beside }: PresetFigure): number {
  return (tokens?.total ?? 0) + beside;
}

interface BarProps {
  /** Of the whole request. */
  readonly tokens: Pick<TokenFigure, 'total' | 'provenance'>;
  /** What a request may hold. */
  readonly window: number | null;
  readonly isOver: boolean;
  readonly isFinal?: boolean;
  readonly totals: readonly number[];
}

function Bar({ tokens, window, isOver, isFinal = true, totals }: BarProps) {
  const open = isFinal ? '' : ' preset-open';
  return (
    <>
      <span className={`preset-bar${open}`}>
        <i
          style={{
            width: `${listShare(tokens.total, window, totals) * 100}%`,
            background: isOver ? 'var(--danger)' : 'var(--accent)',
          }}
        />
      </span>
      <span className={`mono num${isOver ? ' preset-over' : ''}${open}`}>
        {formatTokens(tokens.total, tokens.provenance)}
      </span>
    </>
  );
}
