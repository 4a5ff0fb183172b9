// browser-safe
// What is drawn of a tool's call or result, as data. Every character of the part is in its view, or in `rest`.

/** A line of a diff; `gap` = a place marker (`@@ …`), not a line of the file. */
export interface DiffLine {
  readonly kind: 'same' | 'out' | 'in' | 'gap';
  readonly text: string;
}

/** What happens to one file. `movedTo` = its new path. */
export interface FileChange {
  readonly path: string;
  readonly change: 'edit' | 'write' | 'delete';
  readonly movedTo: string | null;
  readonly lines: readonly DiffLine[];
  /** The call was cut here: how many lines change is not known. */
  readonly isCut?: true;
}

/** A line of a file; `number` null = the text has none. */
export interface NumberedLine {
  readonly number: number | null;
  readonly text: string;
}

export interface TodoItem {
  readonly text: string;
  readonly state: 'open' | 'active' | 'done' | 'cancelled';
}

/** An argument or a note by its name. */
export interface Field {
  readonly name: string;
  readonly value: string;
}

/** A call as people read it. */
export type CallBody =
  | { readonly kind: 'terminal'; readonly command: string; readonly title: string | null; readonly cwd: string | null }
  | { readonly kind: 'diff'; readonly files: readonly FileChange[] }
  | { readonly kind: 'file'; readonly path: string; readonly range: string | null }
  /** `others`: what was looked for at once beside it. */
  | {
      readonly kind: 'search';
      readonly pattern: string;
      readonly others: readonly string[];
      readonly where: string | null;
    }
  | { readonly kind: 'todo'; readonly items: readonly TodoItem[] }
  | {
      readonly kind: 'web';
      readonly target: string;
      readonly others: readonly string[];
      readonly isAddress: boolean;
      readonly question: string | null;
    }
  | { readonly kind: 'agent'; readonly title: string | null; readonly type: string | null; readonly prompt: string }
  | { readonly kind: 'fields' };

export interface CallView {
  readonly body: CallBody;
  /** The arguments that the body does not hold, in their order: strings as they are, others as JSON. */
  readonly rest: readonly Field[];
}

/** A command's output; `exit` null = the tool does not say how it ended. */
export interface OutputView {
  readonly kind: 'output';
  readonly head: string;
  readonly text: string;
  readonly exit: number | null;
}

/** A file's contents by lines; `path` null = nothing names it. `place`: which of its lines they are, `12-18`. */
export interface FileView {
  readonly kind: 'lines';
  readonly path: string | null;
  readonly place?: string;
  readonly head: string;
  readonly lines: readonly NumberedLine[];
  readonly tail: string;
}

/** A result as people read it. `head` and `tail`: the tool's words around it, unchanged; '' = none. */
export type ResultView =
  | OutputView
  | FileView
  | { readonly kind: 'hits'; readonly head: string; readonly groups: readonly HitGroup[]; readonly tail: string }
  | {
      readonly kind: 'pages';
      /** What the tool says before them, and after. */
      readonly head: string;
      readonly pages: readonly FoundPage[];
      readonly text: string;
      readonly rest: readonly Field[];
    }
  | { readonly kind: 'prose'; readonly text: string; readonly rest: readonly Field[] };

/** Hits of one file; `path` null = the text names none. */
export interface HitGroup {
  readonly path: string | null;
  readonly lines: readonly NumberedLine[];
}

/** A page that a search of the provider's found; `rest` = what else is said of it. */
export interface FoundPage {
  readonly address: string;
  readonly title: string | null;
  readonly rest: readonly Field[];
}
