import { CircleAlert } from 'lucide-react';
import { Component, type ErrorInfo, type ReactNode, useState } from 'react';
import { failureText } from './failureText.ts';

interface Props {
  /** What cannot be shown if it fails, as the beginning of a sentence: `This tab`. */
  readonly what: string;
  readonly children: ReactNode;
  /** What is shown now: when it changes, a failed part is drawn again. */
  readonly shown?: unknown;
  /** Draws the failure another way than as a box in its place. */
  readonly around?: (box: ReactNode) => ReactNode;
}

interface State {
  readonly failure: { readonly thrown: unknown; readonly components: string } | null;
}

/** Keeps a failure of a part to that part: it says so, its details can be copied, and it can be drawn again. */
export class FailureBoundary extends Component<Props, State> {
  override state: State = { failure: null };

  static getDerivedStateFromError(thrown: unknown): State {
    return { failure: { thrown, components: '' } };
  }

  override componentDidCatch(thrown: unknown, { componentStack }: ErrorInfo): void {
    this.setState({ failure: { thrown, components: componentStack ?? '' } });
  }

  override componentDidUpdate(before: Props): void {
    if (before.shown !== this.props.shown && this.state.failure !== null) this.setState({ failure: null });
  }

  override render(): ReactNode {
    const { failure } = this.state;
    const { what, around, children } = this.props;
    if (failure === null) return children;
    const box = (
      <FailureBox
        what={what}
        message={failure.thrown instanceof Error ? failure.thrown.message : String(failure.thrown)}
        details={failureText(failure.thrown, what, failure.components)}
        onAgain={() => this.setState({ failure: null })}
      />
    );
    return around ? around(box) : box;
  }
}

interface BoxProps {
  readonly what: string;
  readonly message: string;
  readonly details: string;
  readonly onAgain: () => void;
}

function FailureBox({ what, message, details, onAgain }: BoxProps) {
  const [copied, setCopied] = useState<'not yet' | 'copied' | 'refused'>('not yet');
  const copy = () =>
    navigator.clipboard.writeText(details).then(
      () => setCopied('copied'),
      () => setCopied('refused'),
    );
  return (
    <div className="failure" role="alert" data-testid="failure">
      <p>
        <CircleAlert size={15} aria-hidden /> <b>{what} could not be shown.</b> Your library is not affected.
      </p>
      <p className="mono failure-message">{message}</p>
      <div className="failure-actions">
        <button type="button" className="button" onClick={onAgain}>
          Try again
        </button>
        <button type="button" className="button" onClick={() => void copy()}>
          {copied === 'copied' ? 'Copied' : 'Copy details'}
        </button>
      </div>
      {copied === 'refused' && <pre className="failure-details">{details}</pre>}
    </div>
  );
}
