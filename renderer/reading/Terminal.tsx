import { type AnsiSpan, ansiSpans } from '../../core/reading/ansi.ts';
import type { CallBody, ResultView } from '../../core/reading/types.ts';
import { CodeText } from './Code.tsx';
import { Text } from './marker.tsx';

/** A command as it was given to a shell. */
export function TerminalCall({ body }: { readonly body: Extract<CallBody, { kind: 'terminal' }> }) {
  return (
    <div className="tool-card">
      {(body.title !== null || body.cwd !== null) && (
        <div className="tool-head">
          {body.title !== null && (
            <span className="tool-path">
              <Text text={body.title} />
            </span>
          )}
          {body.cwd !== null && (
            <span className="mono mute tool-path">
              <Text text={body.cwd} />
            </span>
          )}
        </div>
      )}
      <pre className="tool-body mono" dir="ltr">
        <span className="terminal-prompt" aria-hidden>
          ${' '}
        </span>
        <CodeText text={body.command} language="bash" />
      </pre>
    </div>
  );
}

/** What a command printed, in its colours. */
export function TerminalOutput({ view }: { readonly view: Extract<ResultView, { kind: 'output' }> }) {
  const isFailed = view.exit !== null && view.exit !== 0;
  return (
    <div className="tool-card">
      {(view.head !== '' || view.exit !== null) && (
        <div className="tool-head">
          <span className="tool-note mono mute">
            <Text text={view.head.trimEnd()} />
          </span>
          <span className="grow" />
          {view.exit !== null && <span className={isFailed ? 'chip part-error' : 'chip'}>exit {view.exit}</span>}
        </div>
      )}
      <pre className="tool-body mono" dir="ltr">
        {view.text === '' ? <i className="faint">No output.</i> : <AnsiText text={view.text} />}
      </pre>
    </div>
  );
}

/** Text with a terminal's colours; a lone carriage return is drawn as the line break that it mostly is. */
export function AnsiText({ text }: { readonly text: string }) {
  return ansiSpans(text.replaceAll('\r\n', '\n')).map((span, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: stretches of one text, never moved
    <span key={at} className={classOf(span)}>
      {span.text.split('\r').map((line, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text, never moved
        <span key={number}>
          {number > 0 && (
            <span className="unseen" title="U+000D carriage return">
              ␍{'\n'}
            </span>
          )}
          <Text text={line} />
        </span>
      ))}
    </span>
  ));
}

function classOf(span: AnsiSpan): string | undefined {
  const words = [
    span.color !== null && `ansi-${span.color}`,
    span.isBold && 'ansi-bold',
    span.isDim && 'ansi-dim',
    span.isItalic && 'ansi-italic',
    span.isUnderlined && 'ansi-underlined',
    span.isInverse && 'ansi-inverse',
  ].filter((word) => word !== false);
  return words.length === 0 ? undefined : words.join(' ');
}
