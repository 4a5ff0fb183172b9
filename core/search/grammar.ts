// browser-safe
// The grammar that searches and filters share: what stands side by side all has to hold, OR binds closer, - and NOT turn
// round, brackets group. Whatever is typed is read: what makes no sense is a problem with its place, never a failure.
import type { QueryToken } from './lexQuery.ts';
import type { QueryProblem } from './types.ts';

/** A piece of text in a query: a word, a phrase, or name:value. */
export type TextToken = Extract<QueryToken, { kind: 'text' }>;

/** What expressions are made of. An expression `all` asks for nothing, and leaves no trace in another. */
interface Expressions<E> {
  readonly all: E;
  readonly isAll: (expr: E) => boolean;
  readonly and: (of: readonly E[]) => E;
  readonly or: (of: readonly E[]) => E;
  readonly not: (of: E) => E;
  /** A piece of text; `depth` > 0 within OR, brackets or NOT. Of a negated one the result is still to be negated. */
  readonly text: (token: TextToken, depth: number, negated: boolean) => E;
  readonly problem: (severity: QueryProblem['severity'], text: string, from: number, to: number) => void;
}

/** Reads pieces into one expression. */
export function readExpression<E>(tokens: readonly QueryToken[], make: Expressions<E>): E {
  return new ExpressionReader(tokens, make).read();
}

class ExpressionReader<E> {
  readonly #tokens: readonly QueryToken[];
  readonly #make: Expressions<E>;
  #at = 0;

  constructor(tokens: readonly QueryToken[], make: Expressions<E>) {
    this.#tokens = tokens;
    this.#make = make;
  }

  read(): E {
    return this.#all(0);
  }

  /** Everything up to the closing bracket or the end. */
  #all(depth: number): E {
    const found: E[] = [];
    for (let token = this.#peek(); token !== undefined; token = this.#peek()) {
      if (token.kind === 'close') break;
      if (token.kind === 'and') this.#at++;
      else found.push(this.#either(depth));
    }
    return this.#joined(found, this.#make.and);
  }

  /** Units joined by OR, which binds closer than standing side by side. */
  #either(depth: number): E {
    const found: E[] = [];
    const joined = this.#isOr(this.#at + this.#unitLength(this.#at));
    for (;;) {
      const token = this.#peek();
      if (token?.kind === 'or') {
        this.#passOverOr(token);
        return this.#joined(found, this.#make.or);
      }
      found.push(this.#unit(joined || found.length > 0 ? depth + 1 : depth));
      const next = this.#tokens[this.#at + 1];
      if (!this.#isOr(this.#at) || next === undefined || next.kind === 'close') break;
      this.#at++;
    }
    const dangling = this.#peek();
    if (dangling?.kind === 'or') this.#passOverOr(dangling);
    return this.#joined(found, this.#make.or);
  }

  #passOverOr({ from, to }: QueryToken): void {
    this.#make.problem('warning', 'OR goes between two things; this one was skipped.', from, to);
    this.#at++;
  }

  #unit(depth: number): E {
    const token = this.#peek();
    if (token === undefined) return this.#make.all;
    this.#at++;
    if (token.kind === 'not') return this.#without(token, depth);
    if (token.kind === 'open') {
      const inner = this.#all(depth + 1);
      if (this.#peek()?.kind === 'close') this.#at++;
      return inner;
    }
    return token.kind === 'text' ? this.#make.text(token, depth, false) : this.#make.all;
  }

  #without(not: QueryToken, depth: number): E {
    const next = this.#peek();
    if (next === undefined || next.kind === 'close' || next.kind === 'or' || next.kind === 'and') {
      this.#make.problem('warning', 'There is nothing here to leave out.', not.from, not.to);
      return this.#make.all;
    }
    if (next.kind !== 'text') return this.#negation(this.#unit(depth + 1));
    this.#at++;
    return this.#negation(this.#make.text(next, depth, true));
  }

  #negation(of: E): E {
    return this.#make.isAll(of) ? of : this.#make.not(of);
  }

  /** A part that was passed over asks for nothing: it does not make OR true of everything. */
  #joined(exprs: readonly E[], join: (of: readonly E[]) => E): E {
    const real = exprs.filter((expr) => !this.#make.isAll(expr));
    const [only] = real;
    if (only === undefined) return this.#make.all;
    return real.length === 1 ? only : join(real);
  }

  #peek(): QueryToken | undefined {
    return this.#tokens[this.#at];
  }

  #isOr(at: number): boolean {
    return this.#tokens[at]?.kind === 'or';
  }

  /** Number of tokens of the unit that begins there. */
  #unitLength(at: number): number {
    let end = at;
    while (this.#tokens[end]?.kind === 'not') end++;
    if (this.#tokens[end]?.kind !== 'open') return end + 1 - at;
    let depth = 0;
    do {
      const kind = this.#tokens[end]?.kind;
      if (kind === 'open') depth++;
      if (kind === 'close') depth--;
      end++;
    } while (depth > 0 && end < this.#tokens.length);
    return end - at;
  }
}
