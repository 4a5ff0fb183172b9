import { Bot, FileText, Globe, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { callView } from '../../core/reading/callView.ts';
import { providerView } from '../../core/reading/providerView.ts';
import { type AnsweredCall, resultView } from '../../core/reading/resultView.ts';
import type { CallBody, CallView, Field, FoundPage, TodoItem } from '../../core/reading/types.ts';
import { plural } from '../ui/format.ts';
import { DiffCards, FileLines, Hits } from './FileViews.tsx';
import { Markdown } from './Markdown.tsx';
import { Text } from './marker.tsx';
import { TerminalCall, TerminalOutput } from './Terminal.tsx';

interface CallProps {
  readonly name: string | null;
  readonly text: string;
  /** It is only the beginning of the call's arguments. */
  readonly isCut: boolean;
  /** What is drawn of a call that has no better form. */
  readonly raw: ReactNode;
}

/** A call by its tool's family. */
export function ToolCall({ name, text, isCut, raw }: CallProps) {
  const view = callView(name, text, isCut);
  return view === null ? raw : <CallOf view={view} />;
}

function CallOf({ view }: { readonly view: CallView }) {
  return (
    <div className="tool-view" data-testid="tool-view" data-kind={view.body.kind}>
      <Body body={view.body} />
      <Fields fields={view.rest} />
    </div>
  );
}

function Body({ body }: { readonly body: CallBody }) {
  switch (body.kind) {
    case 'terminal':
      return <TerminalCall body={body} />;
    case 'diff':
      return <DiffCards files={body.files} />;
    case 'file':
      return <Card icon={<FileText size={13} aria-hidden />} main={body.path} note={body.range} />;
    case 'search':
      return (
        <Card
          icon={<Search size={13} aria-hidden />}
          main={body.pattern}
          others={body.others}
          note={body.where && `in ${body.where}`}
        />
      );
    case 'web':
      return (
        <Card icon={<Globe size={13} aria-hidden />} main={body.target} others={body.others} note={body.question} />
      );
    case 'todo':
      return <TodoList items={body.items} />;
    case 'agent':
      return <AgentCard body={body} />;
    case 'fields':
      return null;
  }
}

interface CardProps {
  readonly icon: ReactNode;
  readonly main: string;
  /** What was asked at once beside it, a line each. */
  readonly others?: readonly string[];
  readonly note: string | null;
}

function Card({ icon, main, others = [], note }: CardProps) {
  return (
    <div className="tool-card">
      <div className="tool-head">
        {icon}
        <span className="mono tool-path">
          <Text text={main} />
        </span>
        {note !== null && (
          <span className="mute tool-path">
            <Text text={note} />
          </span>
        )}
      </div>
      {others.length > 0 && (
        <ul className="tool-body tool-queries mono">
          {others.map((other, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one list, never moved
            <li key={at}>
              <Text text={other} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const TODO: Readonly<Record<TodoItem['state'], { readonly glyph: string; readonly word: string }>> = {
  open: { glyph: '○', word: 'open' },
  active: { glyph: '◐', word: 'in progress' },
  done: { glyph: '✓', word: 'done' },
  cancelled: { glyph: '✕', word: 'cancelled' },
};

function TodoList({ items }: { readonly items: readonly TodoItem[] }) {
  const done = items.filter(({ state }) => state === 'done').length;
  return (
    <div className="tool-card">
      <div className="tool-head mute">
        {done} of {items.length} done
      </div>
      <ul className="todo-list tool-body">
        {items.map(({ text, state }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items of one list, never moved
          <li key={at} data-state={state}>
            <span className="todo-glyph" role="img" aria-label={TODO[state].word} title={TODO[state].word}>
              {TODO[state].glyph}
            </span>
            <span>
              <Text text={text} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function AgentCard({ body }: { readonly body: Extract<CallBody, { kind: 'agent' }> }) {
  return (
    <div className="tool-card">
      <div className="tool-head">
        <Bot size={13} aria-hidden />
        <b>
          <Text text={body.title ?? 'Sub-agent'} />
        </b>
        {body.type !== null && (
          <span className="mute">
            <Text text={body.type} />
          </span>
        )}
      </div>
      {body.prompt !== '' && (
        <div className="tool-body">
          <Markdown text={body.prompt} />
        </div>
      )}
    </div>
  );
}

/** What only the provider, or a program, can read: encrypted content, a file as base64. */
function isSealed(value: string): boolean {
  return value.length > 200 && /^[A-Za-z0-9+/_-]+={0,2}$/.test(value);
}

/** Its size stands for it until it is wanted. */
function Sealed({ value }: { readonly value: string }) {
  return (
    <details>
      <summary className="mute">{plural(value.length, 'character')}</summary>
      <Text text={value} />
    </details>
  );
}

/** Arguments by their names: all of a tool that is not in the table, else those that the view does not hold. */
function Fields({ fields }: { readonly fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    <dl className="tool-fields">
      {fields.map(({ name, value }) => (
        <div key={name}>
          <dt className="mono mute">
            <Text text={name} />
          </dt>
          <dd className="mono" dir="auto">
            {isSealed(value) ? <Sealed value={value} /> : <Text text={value} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A block of a tool that the provider ran itself: the call, and what it found where that is in the same block. */
export function ProviderBlock({ text, raw }: Pick<CallProps, 'text' | 'raw'>) {
  const view = providerView(text);
  if (view === null) return raw;
  return (
    <div className="tool-view" data-testid="provider-block">
      {view.call !== null && <CallOf view={view.call} />}
      {view.output !== null && <TerminalOutput view={view.output} />}
      {view.pages.length > 0 && <Pages pages={view.pages} />}
      <Fields fields={view.rest} />
    </div>
  );
}

function Pages({ pages }: { readonly pages: readonly FoundPage[] }) {
  return (
    <div className="tool-card">
      <div className="tool-head mute">{plural(pages.length, 'page')} found</div>
      <ul className="page-list tool-body">
        {pages.map(({ address, title, rest }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pages of one list, never moved
          <li key={at}>
            {title !== null && (
              <b>
                <Text text={title} />
              </b>
            )}
            <span className="mono mute">
              <Text text={address} />
            </span>
            <Fields fields={rest} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface ResultProps {
  /** The call that it answers; null = it is not known. */
  readonly call: AnsweredCall | null;
  readonly text: string;
  readonly raw: ReactNode;
}

/** A result by the family of its call. */
export function ToolResult({ call, text, raw }: ResultProps) {
  const view = call === null ? null : resultView(call, text);
  if (view === null) return raw;
  switch (view.kind) {
    case 'output':
      return <TerminalOutput view={view} />;
    case 'lines':
      return <FileLines view={view} />;
    case 'hits':
      return <Hits view={view} />;
    case 'pages':
      return (
        <>
          {view.head !== '' && (
            <p className="mute">
              <Text text={view.head} />
            </p>
          )}
          <Pages pages={view.pages} />
          {view.text !== '' && <Markdown text={view.text} />}
          <Fields fields={view.rest} />
        </>
      );
    case 'prose':
      return (
        <>
          <Fields fields={view.rest} />
          <Markdown text={view.text} />
        </>
      );
  }
}
