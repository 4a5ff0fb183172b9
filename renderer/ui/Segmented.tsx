import './segmented.css';
import { ToggleGroup } from 'radix-ui';

interface Props<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly title: string }[];
  readonly onChange: (value: T) => void;
}

/** One of a few, all in sight. */
export function Segmented<T extends string>({ label, value, options, onChange }: Props<T>) {
  return (
    <ToggleGroup.Root
      type="single"
      className="segmented"
      aria-label={label}
      value={value}
      onValueChange={(next) => {
        const found = options.find((one) => one.value === next);
        if (found) onChange(found.value);
      }}
    >
      {options.map((one) => (
        <ToggleGroup.Item key={one.value} value={one.value} className="segment">
          {one.title}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
