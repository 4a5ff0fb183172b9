import './summary.css';
import { CircleAlert, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { SummaryInfo } from '../../core/protocol/types.ts';
import { useActions, useAppState } from '../state/context.tsx';
import type { DialogProps, Span } from '../state/dialog.ts';
import { formatCount, plural } from '../ui/format.ts';
import { Modal, ModalCancel } from '../ui/Modal.tsx';
import { describeSpan, describeState, estimatedTokens, parseSpan, writtenFor } from './summaryText.ts';
import { useSummaries } from './useSummaries.ts';

/** A summary typed by the person, for a span that a stage would have a model summarize. No model writes here. */
export function SummaryDialog({ dialog: { span: target }, onClose }: DialogProps<'summary'>) {
  const messages = useAppState((state) => state.session.info?.messages ?? 0);
  const { toast } = useActions();
  const { list, error, save, remove } = useSummaries();
  const [first, setFirst] = useState(String(target?.from ?? 0));
  const [last, setLast] = useState(String((target?.to ?? messages) - 1));
  const [draft, setDraft] = useState<string | null>(null);
  const span = parseSpan(first, last, messages);
  const known = span && list ? writtenFor(list, span) : null;
  const content = draft ?? known?.content ?? '';
  const isNew = content.trim() !== '' && content !== known?.content;
  const submit = async () => {
    if (span === null || !isNew || !(await save(span, content))) return;
    toast({ tone: 'ok', text: `Summary of ${describeSpan(span)} saved.` });
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void submit();
  };
  return (
    <Modal
      title="Write a summary"
      description="Replaces these messages wherever a stage needs a summary of them. It is saved with the transcript, whose messages stay unchanged, and labelled as written here."
      width={640}
      testId="summary-dialog"
      onClose={onClose}
      unsaved={draft !== null && isNew ? 'The text is not saved.' : null}
      footer={
        <>
          <span className="grow mute num">
            ~{formatCount(estimatedTokens(content))} tok, estimated
            {span && ` · in place of ${plural(span.to - span.from, 'message')}`}
          </span>
          <ModalCancel />
          <button
            type="button"
            className="button button-primary"
            data-testid="summary-save"
            title="Ctrl+Enter"
            disabled={span === null || !isNew}
            onClick={() => void submit()}
          >
            {known ? 'Save as next version' : 'Save'}
          </button>
        </>
      }
    >
      <div className="summary-span">
        <label htmlFor="summary-first">Messages</label>
        <input
          id="summary-first"
          className="field mono num"
          aria-invalid={span === null}
          value={first}
          onChange={(event) => setFirst(event.target.value)}
        />
        <span className="mute">to</span>
        <input
          className="field mono num"
          aria-label="Last message"
          aria-invalid={span === null}
          value={last}
          onChange={(event) => setLast(event.target.value)}
        />
        <span className={span ? 'mute num' : 'tone-over num'}>
          {span ? `of ${formatCount(messages)}` : `must lie within #0 – #${messages - 1}`}
        </span>
      </div>
      <textarea
        className="field summary-text"
        aria-label="Text of the summary"
        data-testid="summary-text"
        placeholder="What the model must still know of them."
        data-autofocus
        rows={9}
        value={content}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {error && (
        <p className="finding finding-error" role="alert">
          <CircleAlert size={14} aria-hidden /> <span>{error.message}</span>
        </p>
      )}
      {list && list.length > 0 && <Known list={list} onRemove={(one) => void remove(one)} />}
    </Modal>
  );
}

function Known(props: { readonly list: readonly SummaryInfo[]; readonly onRemove: (span: Span) => void }) {
  return (
    <ul className="summary-list" aria-label="Summaries of this transcript">
      {props.list.map((one) => (
        <li key={`${one.origin} ${one.from} ${one.to} ${one.version}`}>
          <span className="mono num">{describeSpan(one)}</span>
          <span
            className={one.state === 'here' ? 'grow mute ellipsis' : 'grow tone-close ellipsis'}
            title={one.content}
          >
            {describeState(one)} — {one.content}
          </span>
          <span className="num mute">{formatCount(one.tokens)} tok</span>
          {one.origin === 'written' && (
            <button
              type="button"
              className="icon-button"
              aria-label={`Delete the summary of ${describeSpan(one)}`}
              onClick={() => props.onRemove({ from: one.from, to: one.to })}
            >
              <Trash2 size={13} aria-hidden />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
