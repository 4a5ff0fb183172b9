import './wire.css';
import { CircleAlert, LoaderCircle } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { WireInfo, WireTargetName } from '../../core/protocol/wireTypes.ts';
import { HeadlineFigure } from '../budget/HeadlineFigure.tsx';
import { useHeadline } from '../budget/useHeadline.ts';
import { CodeEditor } from '../monaco/CodeEditor.tsx';
import { useAppState } from '../state/context.tsx';
import { useSentWords } from '../state/useSentWords.ts';
import { JSON_LAYOUTS, type JsonLayout } from '../ui/layouts.ts';
import { Modal } from '../ui/Modal.tsx';
import { prettyJson } from '../ui/prettyJson.ts';
import { Segmented } from '../ui/Segmented.tsx';
import { useWire, type WireState } from './useWire.ts';
import { WireFooter } from './WireFooter.tsx';
import { WireNotes } from './WireNotes.tsx';
import { shownText, targetFor, WIRE_TARGETS } from './wireText.ts';

/** What was sent, or would be, as the exact body of a request to one of four APIs. */
export function WireDialog({ onClose }: { readonly onClose: () => void }) {
  const session = useAppState((state) => state.session.info);
  const sent = useSentWords();
  const headline = useHeadline();
  const [target, setTarget] = useState<WireTargetName>(() =>
    targetFor(session?.bundle?.format ?? session?.format ?? '', session?.models ?? []),
  );
  const [model, setModel] = useState('');
  const [how, setHow] = useState<JsonLayout>('pretty');
  const wire = useWire(target, model, null);
  const choose = (next: WireTargetName) => {
    setTarget(next);
    setModel('');
  };
  return (
    <Modal
      title="Request on the wire"
      {...(sent && { description: `${sent.title}.` })}
      width="large"
      testId="wire-dialog"
      onClose={onClose}
      // Another request, another file.
      footer={<WireFooter key={JSON.stringify(wire.params)} wire={wire} onClose={onClose} />}
    >
      <div className="drawer-bar wire-bar">
        <Segmented label="Request" value={target} onChange={choose} options={WIRE_TARGETS} />
        <ModelField shown={wire.info?.model ?? ''} onChange={setModel} />
        <span className="grow" />
        {wire.isLoading && <LoaderCircle size={13} className="spin faint" aria-label="writing" />}
        {headline && (
          <span className="num nowrap mute">
            <HeadlineFigure headline={headline} testId="wire-figure" /> tok
          </span>
        )}
        <Segmented label="How" value={how} onChange={setHow} options={JSON_LAYOUTS} />
      </div>
      <Panes wire={wire} how={how} onClose={onClose} />
    </Modal>
  );
}

function Panes({
  wire,
  how,
  onClose,
}: {
  readonly wire: WireState;
  readonly how: JsonLayout;
  readonly onClose: () => void;
}) {
  const { info, error } = wire;
  if (error) {
    return (
      <p className="finding finding-error wire-error" role="alert">
        <CircleAlert size={14} aria-hidden /> <span>The request could not be written: {error.message}</span>
      </p>
    );
  }
  if (!info) return <p className="wire-note mute">Writing the request…</p>;
  return (
    <div className="wire-panes" aria-busy={wire.isLoading} data-testid="wire-panes" data-target={info.target}>
      <section className="wire-json" aria-label="Body of the request">
        <p className="wire-url mono ellipsis" title={info.url}>
          POST {info.url}
        </p>
        <Body info={info} how={how} />
        <p className="wire-shown mute" data-testid="wire-shown">
          {shownText(info)}
        </p>
      </section>
      <WireNotes info={info} onClose={onClose} />
    </div>
  );
}

function Body({ info, how }: { readonly info: WireInfo; readonly how: JsonLayout }) {
  const text = useMemo(() => (how === 'pretty' ? prettyJson(info.json.trim()) : info.json), [info.json, how]);
  return <CodeEditor value={text} language="json" label="Body of the request" readOnly />;
}

// What is typed counts when it is done: Enter, or leaving the field.
function ModelField({ shown, onChange }: { readonly shown: string; readonly onChange: (model: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const done = () => {
    if (typed !== null) onChange(typed.trim());
    setTyped(null);
  };
  return (
    <label className="wire-model">
      <span className="mute">Model</span>
      <input
        className="field mono"
        value={typed ?? shown}
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={done}
        onKeyDown={(event) => event.key === 'Enter' && done()}
      />
    </label>
  );
}
