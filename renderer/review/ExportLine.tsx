interface Props {
  readonly name: string;
  readonly value: string;
  readonly isMono?: boolean;
  readonly testId?: string;
}

/** One fact of a report: its name and its value, which can be selected. */
export function ExportLine({ name, value, isMono = false, testId }: Props) {
  return (
    <li>
      <span className="mute">{name}</span>
      <span className={isMono ? 'mono export-value' : 'export-value'} data-testid={testId}>
        {value}
      </span>
    </li>
  );
}
