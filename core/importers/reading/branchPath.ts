// The way through a conversation that goes back at times: which message stands where on the current path, and which
// messages a branch that was left holds. Messages are nodes, numbered as they come; of each only numbers are kept,
// because a long session has millions.
//
// Going back copies and moves messages in the library. Two programs that write into one session at the same time go
// back and forth with every line, so there is a credit for it: where it does not suffice, a branch is written on where
// it is (`write`), and becomes the transcript itself once that is affordable, or at the end.

import type { ImportSink, Rewind } from '../../model/importSink.ts';
import { defined } from './shared.ts';

interface Branch {
  /** Of the transcript that holds it. */
  readonly key: string;
  /** What it is called if it has to leave the transcript itself. */
  readonly name: string;
  readonly at: number;
  /** Its own nodes, the first at index `at`. */
  readonly nodes: readonly number[];
}

/** Orders for the sink: go to the transcript `key`, and `rewind` it. The next message there has the index `count`. */
export interface Move {
  readonly key: string;
  readonly rewind: Rewind | null;
  readonly count: number;
}

/** No message: what stands before the first one. */
export const ROOT = -1;

/** Credit in messages to be moved to and fro: at first, with every message, and what one move costs beside them. */
const SWITCHING = { first: 20_000, each: 5, fixed: 500 };
/**
 * The same of messages copied to begin a branch with. Measured: some 20 ms a branch, and 3 µs and 300 bytes a message;
 * the message itself takes 200 µs and 5,000 bytes. So branches add a third to a very long session at most.
 */
const FORKING = { first: 1_000_000, each: 5, fixed: 3_000 };

/** The current path of one transcript, and its branches. */
export class BranchPath {
  readonly #main: string;
  #active: string;
  // Of each node its source index, the node before it, and the branch that holds it while it is off the path. A node
  // has the same index and the same node before it in every transcript that holds it.
  readonly #index: number[] = [];
  readonly #before: number[] = [];
  readonly #holder: number[] = [];
  readonly #path: number[] = [];
  readonly #branches: (Branch | null)[] = [];
  readonly #words = new Map<number, string>();
  #switching = SWITCHING.first;
  #forking = FORKING.first;
  #refused = 0;

  /** `key` of the transcript whose path this is. */
  constructor(key: string) {
    this.#main = key;
    this.#active = key;
  }

  /** Number of messages on the path. */
  get length(): number {
    return this.#path.length;
  }

  /** The last node of the path. */
  get tip(): number {
    return this.#path.at(-1) ?? ROOT;
  }

  /** Key of the transcript that the path is written to: the transcript's own, or for a while that of a branch. */
  get writing(): string {
    return this.#active;
  }

  /** False while the path is written to the transcript of a branch. */
  get isHome(): boolean {
    return this.#active === this.#main;
  }

  /** Number of branches beside the path. */
  get branches(): number {
    return this.#branches.reduce((sum, branch) => sum + (branch ? 1 : 0), 0);
  }

  /** How often the conversation went back and was read on as if it had not, because there were too many branches. */
  get refused(): number {
    return this.#refused;
  }

  /** Adds a message at the end of the path. `words` = what a person wrote in it, for a title. */
  append(words?: string): number {
    const node = this.#index.length;
    this.#before.push(this.tip);
    this.#holder.push(-1);
    this.#index.push(this.#path.push(node) - 1);
    if (words !== undefined) this.#words.set(node, words);
    this.#switching += SWITCHING.each;
    this.#forking += FORKING.each;
    return node;
  }

  /** Source index of a node, -1 of the root. */
  indexOf(node: number): number {
    return this.#index[node] ?? -1;
  }

  isOnPath(node: number): boolean {
    return node === ROOT || this.#path[this.indexOf(node)] === node;
  }

  /** The node at a source index of the path. */
  nodeAt(index: number): number {
    return this.#path[index] ?? ROOT;
  }

  /** Key of a transcript that holds the node: the one being written, if it does. */
  keyOf(node: number): string {
    return this.isOnPath(node) ? this.#active : (this.#branches[this.#holder[node] ?? -1]?.key ?? this.#active);
  }

  /** The first words of a person on the path; where nobody said anything on it, those on a branch: a title stays one. */
  get words(): string | undefined {
    let any: string | undefined;
    for (const [node, words] of this.#words) {
      if (this.isOnPath(node)) return words;
      any ??= words;
    }
    return any;
  }

  /**
   * Makes `node` the end of the path, together with the nodes after it that belong to it (`stays`). Null = it was, or
   * there are too many branches already. What is left is called `name`, and titled by its own first words.
   */
  goTo(node: number, name: string, stays: (node: number) => boolean = () => false): Move | null {
    const within = this.isOnPath(node) ? null : this.#branches[this.#holder[node] ?? -1];
    let at = this.#sharedBy(node);
    if (!within) {
      while (at < this.length && stays(this.nodeAt(at))) at++;
      if (at >= this.length || !this.#mayFork(this.length)) return null;
      return { key: this.#active, rewind: this.#fork(at, name), count: at };
    }
    const end = within.at + within.nodes.length;
    let to = this.indexOf(node) + 1;
    while (to < end && stays(within.nodes[to - within.at] ?? ROOT)) to++;
    if (to === end) return this.#goOn(within, at, name);
    if (!this.#mayFork(this.length + to - at)) return null;
    const rewind = this.#fork(at, name);
    this.#follow(within.nodes[to - 1 - within.at] ?? ROOT, at);
    return { key: this.#active, rewind: { ...rewind, resume: { key: within.key, to } }, count: to };
  }

  /** Makes what is written the transcript itself, if it is a branch, and that is affordable or has to be (`atEnd`). */
  comeHome(atEnd: boolean): Move | null {
    if (this.isHome) return null;
    const home = this.#branches.findIndex((branch) => branch?.key === this.#main);
    const main = this.#branches[home];
    const leaf = main?.nodes.at(-1);
    if (!main || leaf === undefined) return null;
    const at = this.#sharedBy(leaf);
    const cost = SWITCHING.fixed + this.indexOf(leaf) + 1 - at + this.length - at;
    if (!atEnd && cost > this.#switching) return null;
    this.#switching -= cost;
    const resume = { key: this.#active, to: this.length };
    const leave = { key: main.name, meta: this.#branchMeta(at, main.nodes) };
    this.#branches[home] = { ...main, key: main.name };
    this.#active = this.#main;
    return { key: this.#main, rewind: { at, leave, resume }, count: this.length };
  }

  /** Reports to the sink how much each branch shares with the path as it is now. */
  reportShared(sink: Pick<ImportSink, 'begin' | 'meta'>, format: string): void {
    for (const branch of this.#branches) {
      const leaf = branch?.nodes.at(-1);
      if (!branch || leaf === undefined) continue;
      sink.begin(branch.key, { format });
      sink.meta({ branchAt: this.#sharedBy(leaf) });
    }
  }

  #mayFork(messages: number): boolean {
    const cost = FORKING.fixed + messages;
    const may = cost <= this.#forking;
    if (may) this.#forking -= cost;
    else this.#refused++;
    return may;
  }

  // What is written goes back; above `at` it is left.
  #fork(at: number, name: string): Rewind {
    const leave = { key: name, meta: this.#branchMeta(at, this.#path.slice(at)) };
    this.#cut(at, name, name);
    return { at, leave };
  }

  // A branch is gone on with at its end: it becomes the transcript itself, or is written on where it is.
  #goOn(branch: Branch, at: number, name: string): Move {
    const cost = SWITCHING.fixed + this.length - at + branch.at + branch.nodes.length - at;
    const leaf = branch.nodes.at(-1) ?? ROOT;
    const nothingLeft = at >= this.length && branch.key !== this.#main;
    const to = this.indexOf(leaf) + 1;
    this.#branches[this.#branches.indexOf(branch)] = null;
    if (nothingLeft || (this.isHome && cost <= this.#switching)) {
      this.#switching -= cost;
      const rewind = this.#fork(at, name);
      this.#follow(leaf, at);
      return { key: this.#active, rewind: { ...rewind, resume: { key: branch.key, to } }, count: to };
    }
    this.#cut(at, this.#active, name);
    this.#follow(leaf, at);
    this.#active = branch.key;
    return { key: branch.key, rewind: null, count: to };
  }

  #branchMeta(at: number, nodes: readonly number[]) {
    const words = nodes.find((node) => this.#words.has(node));
    const title = words === undefined ? undefined : this.#words.get(words);
    return { branchOf: this.#main, branchAt: at, ...defined({ title }) };
  }

  /** Number of messages that the path shares with the branch that ends in `node`. */
  #sharedBy(node: number): number {
    let at = node;
    while (!this.isOnPath(at)) at = this.#before[at] ?? ROOT;
    return this.indexOf(at) + 1;
  }

  #cut(at: number, key: string, name: string): void {
    const nodes = this.#path.splice(at);
    if (nodes.length === 0) return;
    for (const node of nodes) this.#holder[node] = this.#branches.length;
    this.#branches.push({ key, name, at, nodes });
  }

  // The path continues to `last`, whose way from index `at` on is another's.
  #follow(last: number, at: number): void {
    const taken: number[] = [];
    for (let node = last; this.indexOf(node) >= at; node = this.#before[node] ?? ROOT) taken.push(node);
    for (const node of taken.reverse()) this.#path.push(node);
  }
}
