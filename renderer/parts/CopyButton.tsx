import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useActions } from '../state/context.tsx';

interface Props {
  readonly text: string;
  readonly label: string;
  readonly children?: string;
}

/** Copies a text and says so for a moment. */
export function CopyButton({ text, label, children }: Props) {
  const { toast } = useActions();
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 1500);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setDone(true),
      () => toast({ tone: 'error', text: 'The clipboard is not available.' }),
    );
  const Icon = isDone ? Check : Copy;
  return (
    <button
      type="button"
      className={children === undefined ? 'icon-button copy-button' : 'button copy-button'}
      aria-label={isDone ? 'Copied' : label}
      title={label}
      onClick={() => void copy()}
    >
      <Icon size={13} aria-hidden />
      {children !== undefined && (isDone ? 'Copied' : children)}
    </button>
  );
}
