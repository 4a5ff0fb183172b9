import { moveFocus } from '../ui/moveFocus.ts';
import { Seen } from '../ui/Seen.tsx';
import { VerdictSign } from './VerdictSign.tsx';
import { type RuleRow, VERDICT_WORD } from './words.ts';

const BETWEEN_ROWS = moveFocus('tr.checks-row');

interface Props {
  readonly rows: readonly RuleRow[];
  readonly shown: RuleRow | null;
  readonly isRunning: boolean;
  readonly onChoose: (at: number) => void;
}

/** All rules, failed ones first: what became of each, what was found, and its line in the rules. */
export function RuleTable({ rows, shown, isRunning, onChoose }: Props) {
  return (
    <div className="checks-table" aria-busy={isRunning}>
      <table data-testid="checks-table">
        <thead>
          <tr>
            <th scope="col" className="checks-result">
              Result
            </th>
            <th scope="col">Rule</th>
            <th scope="col" className="checks-found">
              Found
            </th>
            <th scope="col" className="checks-line">
              Line
            </th>
          </tr>
        </thead>
        <tbody onKeyDown={BETWEEN_ROWS}>
          {rows.map((row) => (
            <Row key={row.at} row={row} isRunning={isRunning} isShown={row.at === shown?.at} onChoose={onChoose} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: RuleRow;
  readonly isRunning: boolean;
  readonly isShown: boolean;
  readonly onChoose: (at: number) => void;
}

function Row({ row: { at, rule, verdict, found }, isRunning, isShown, onChoose }: RowProps) {
  const isPending = isRunning && verdict !== 'failed';
  return (
    <tr
      className="checks-row"
      data-testid="checks-row"
      data-rule={at}
      data-verdict={isPending ? 'pending' : verdict}
      aria-selected={isShown}
      tabIndex={isShown ? 0 : -1}
      onFocus={() => onChoose(at)}
      onClick={() => onChoose(at)}
    >
      <td className="checks-result">
        {isPending ? (
          <span className="faint">Running…</span>
        ) : (
          <span className="checks-count" data-verdict={verdict}>
            <VerdictSign verdict={verdict} /> {VERDICT_WORD[verdict]}
          </span>
        )}
      </td>
      <td className="checks-rule">
        <span className="checks-name" title={rule.name}>
          <Seen text={rule.name} />
        </span>
        {rule.name !== rule.text && (
          <span className="checks-text mono" title={rule.text}>
            <Seen text={rule.text} />
          </span>
        )}
      </td>
      <td className="checks-found num" title={found}>
        <span className="checks-lines">
          <Seen text={found} />
        </span>
      </td>
      <td className="checks-line num mono">{rule.line ?? '–'}</td>
    </tr>
  );
}
