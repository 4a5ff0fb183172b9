// browser-safe

/** Words that stand side by side in this order, within one part of a message. `prefix`: the last may continue. */
export interface Term {
  readonly kind: 'words';
  readonly words: readonly string[];
  readonly prefix: boolean;
}

/** Something that a message's content has or has not; `value` in lower case. */
export interface Tag {
  readonly kind: 'tag';
  readonly tag: TagName;
  readonly value: string;
  readonly prefix: boolean;
}

/** What a message's content alone shows (a result's tool: by its call). */
export type TagName = 'role' | 'tool' | 'is' | 'has';

/** What is asked of one message. `all` = nothing. */
export type Expr =
  | { readonly kind: 'all' }
  | Term
  | Tag
  | { readonly kind: 'and' | 'or'; readonly of: readonly Expr[] }
  | { readonly kind: 'not'; readonly of: Expr };

/** A mark that an importer gave a message; see MessageMeta. */
export type MetaFlag = 'injected' | 'queued' | 'compaction' | 'sidechain';

/** A filter over what is beside the content: the message's record, or its transcript. */
export type Scope = { readonly negated: boolean } & (
  | { readonly kind: 'flag'; readonly flag: MetaFlag }
  | { readonly kind: 'before' | 'after'; readonly time: number }
  | { readonly kind: 'model' | 'format' | 'project' | 'in'; readonly value: string }
);

/** Something to say about a query: `from`, `to` are positions in its text. An error keeps it from being run. */
export interface QueryProblem {
  readonly severity: 'error' | 'warning';
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A query read. All scopes must hold beside the expression. */
export interface Query {
  readonly expr: Expr;
  readonly scopes: readonly Scope[];
  /** What is marked in the texts found: all terms that are not excluded. */
  readonly terms: readonly Term[];
  readonly problems: readonly QueryProblem[];
}

/** Where a query's words about time begin: `7d` before what, midnight where. Units: milliseconds, minutes. */
export interface Now {
  readonly time: number;
  readonly zoneMinutes: number;
}
