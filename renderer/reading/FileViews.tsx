import type { DiffLine, FileChange, FileView, NumberedLine, ResultView } from '../../core/reading/types.ts';
import { formatCount } from '../ui/format.ts';
import { CodeText, languageOf } from './Code.tsx';
import { Growing } from './Growing.tsx';
import { Text } from './marker.tsx';
import { linePieces } from './pieces.ts';

const SIGN: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', in: '+', out: '−', gap: ' ' };
const WORD: Readonly<Record<FileChange['change'], string>> = { edit: 'edited', write: 'written', delete: 'deleted' };

/** Changes of files, each as a diff. */
export function DiffCards({ files }: { readonly files: readonly FileChange[] }) {
  return files.map((file, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: files of one call, never moved
    <DiffCard key={at} file={file} />
  ));
}

function DiffCard({ file }: { readonly file: FileChange }) {
  const count = (kind: DiffLine['kind']) => file.lines.filter((line) => line.kind === kind).length;
  const [added, removed] = [count('in'), count('out')];
  const pieces = linePieces(file.lines);
  const language = languageOf(file.movedTo ?? file.path);
  return (
    <div className="tool-card" data-testid="diff">
      <div className="tool-head">
        <span className="mono tool-path">
          <Text text={file.movedTo === null ? file.path : `${file.path} → ${file.movedTo}`} />
        </span>
        <span className="mute">{WORD[file.change]}</span>
        <span className="grow" />
        {file.isCut !== true && (
          <>
            {added > 0 && <span className="num diff-count-in">+{formatCount(added)}</span>}
            {removed > 0 && <span className="num diff-count-out">−{formatCount(removed)}</span>}
          </>
        )}
      </div>
      {file.lines.length > 0 && (
        <pre className="tool-body tool-lines mono" dir="ltr">
          <Growing
            count={pieces.length}
            draw={(at) =>
              pieces[at]?.map((line, number) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text, never moved
                <span key={number} className={`line diff-${line.kind}`}>
                  <span className="line-sign" data-sign={SIGN[line.kind]}>
                    {line.kind === 'in' && <span className="visually-hidden">added </span>}
                    {line.kind === 'out' && <span className="visually-hidden">removed </span>}
                  </span>
                  <span className="line-text">
                    {line.kind === 'gap' ? (
                      <Text text={line.text} />
                    ) : (
                      <CodeText text={line.text} language={language} />
                    )}
                    {'\n'}
                  </span>
                </span>
              ))
            }
          />
        </pre>
      )}
      {file.isCut === true && <p className="tool-body mute">Not all of the call is shown, so more may change.</p>}
    </div>
  );
}

/** A file's lines under their numbers. */
export function FileLines({ view }: { readonly view: FileView }) {
  return (
    <div className="tool-card" data-testid="file">
      <FileHead view={view} />
      <Note text={view.head} />
      {view.lines.length > 0 && <Lines lines={view.lines} language={languageOf(view.path)} />}
      <Note text={view.tail} />
    </div>
  );
}

/** A file's name, and which of its lines are below. */
export function FileHead({ view: { path, place } }: { readonly view: FileView }) {
  if (path === null) return null;
  return (
    <div className="tool-head">
      <span className="mono tool-path">
        <Text text={path} />
      </span>
      {place !== undefined && (
        <span className="mute">
          {place.includes('-') ? 'lines' : 'line'} {place.replace('-', '–')}
        </span>
      )}
    </div>
  );
}

/** What a tool or a client wrote around a file. */
export function Note({ text }: { readonly text: string }) {
  if (text === '') return null;
  return (
    <pre className="tool-body tool-note mono mute" dir="auto">
      <Text text={text.replace(/^\n|\n$/g, '')} />
    </pre>
  );
}

function Lines({ lines, language }: { readonly lines: readonly NumberedLine[]; readonly language: string }) {
  const pieces = linePieces(lines);
  return (
    <pre className="tool-body tool-lines mono" dir="ltr">
      <Growing
        count={pieces.length}
        draw={(at) =>
          pieces[at]?.map((line, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text, never moved
            <span key={number} className="line">
              {line.number !== null && <span className="line-number" data-number={line.number} />}
              <span className="line-text">
                <CodeText text={line.text} language={language} />
                {'\n'}
              </span>
            </span>
          ))
        }
      />
    </pre>
  );
}

/** What a search found, by file. */
export function Hits({ view }: { readonly view: Extract<ResultView, { kind: 'hits' }> }) {
  return (
    <div className="tool-card">
      <Note text={view.head} />
      {view.groups.map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups of one text, never moved
        <div key={at} className="hit-group">
          {group.path !== null && (
            <div className="tool-head">
              <span className="mono tool-path">
                <Text text={group.path} />
              </span>
            </div>
          )}
          <Lines lines={group.lines} language={languageOf(group.path)} />
        </div>
      ))}
      <Note text={view.tail} />
    </div>
  );
}
