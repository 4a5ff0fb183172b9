import type { ReactNode } from 'react';

interface Props {
  readonly name: string;
  readonly testId?: string;
  readonly children: ReactNode;
}

/** One fact about what leaves. */
export function ReviewFact({ name, testId, children }: Props) {
  return (
    <div className="review-fact">
      <dt className="mute">{name}</dt>
      <dd data-testid={testId}>{children}</dd>
    </div>
  );
}
