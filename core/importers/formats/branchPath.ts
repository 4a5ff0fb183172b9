// The way through a conversation that goes back at times: which message stands where on the current path, and which
// messages a branch that was left holds. Messages are nodes, numbered as they come; of each only numbers are kept,
// because a long session has millions.

import type { Rewind } from '../types.ts';
import { defined } from './shared.ts';

interface Branch {
  readonly key: string;
  readonly at: number;
  /** Its own nodes, the first at index `at`. */
  readonly nodes: readonly number[];
}

/** No message: what stands before the first one. */
export const ROOT = -1;

/** The current path of one transcript, and its branches. */
export class BranchPath {
  readonly #key: string;
  // Of each node its source index, the node before it, and the branch that holds it while it is off the path. A node
  // has the same index and the same node before it in every transcript that holds it.
  readonly #index: number[] = [];
  readonly #before: number[] = [];
  readonly #holder: number[] = [];
  readonly #path: number[] = [];
  readonly #branches: (Branch | null)[] = [];
  readonly #words = new Map<number, string>();

  /** `key` of the transcript whose path this is. */
  constructor(key: string) {
    this.#key = key;
  }

  /** Number of messages on the path. */
  get length(): number {
    return this.#path.length;
  }

  /** The last node of the path. */
  get tip(): number {
    return this.#path.at(-1) ?? ROOT;
  }

  /** Number of branches beside the path. */
  get branches(): number {
    return this.#branches.reduce((sum, branch) => sum + (branch ? 1 : 0), 0);
  }

  /** Adds a message at the end of the path. `words` = what a person wrote in it, for a title. */
  append(words?: string): number {
    const node = this.#index.length;
    this.#before.push(this.tip);
    this.#holder.push(-1);
    this.#index.push(this.#path.push(node) - 1);
    if (words !== undefined) this.#words.set(node, words);
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

  /** The first words of a person on the path. */
  get words(): string | undefined {
    for (const [node, words] of this.#words) if (this.isOnPath(node)) return words;
    return undefined;
  }

  /**
   * Makes `node` the end of the path, together with the nodes after it that belong to it (`stays`). Null = it was. What
   * is left becomes the branch `key`, titled by its own first words.
   */
  goTo(node: number, key: string, stays: (node: number) => boolean = () => false): Rewind | null {
    const within = this.isOnPath(node) ? null : this.#branches[this.#holder[node] ?? -1];
    let at = this.#sharedBy(node);
    if (!within) while (at < this.length && stays(this.nodeAt(at))) at++;
    let to = this.indexOf(node) + 1;
    if (within) while (to < within.at + within.nodes.length && stays(within.nodes[to - within.at] ?? ROOT)) to++;
    if (!within && at >= this.length) return null;
    const words = this.#path.slice(at).find((each) => this.#words.has(each));
    const title = words === undefined ? undefined : this.#words.get(words);
    const leave = { key, meta: { branchOf: this.#key, branchAt: at, ...defined({ title }) } };
    const last = within?.nodes[to - 1 - within.at] ?? ROOT;
    this.#cut(at, key);
    if (!within) return { at, leave };
    this.#resume(within, at, last);
    return { at, leave, resume: { key: within.key, to } };
  }

  /** Number of messages that the path shares with the branch that ends in `node`. */
  #sharedBy(node: number): number {
    let at = node;
    while (!this.isOnPath(at)) at = this.#before[at] ?? ROOT;
    return this.indexOf(at) + 1;
  }

  #cut(at: number, key: string): void {
    const nodes = this.#path.splice(at);
    if (nodes.length === 0) return;
    for (const node of nodes) this.#holder[node] = this.#branches.length;
    this.#branches.push({ key, at, nodes });
  }

  #resume(branch: Branch, at: number, last: number): void {
    const taken: number[] = [];
    for (let node = last; this.indexOf(node) >= at; node = this.#before[node] ?? ROOT) taken.push(node);
    for (const node of taken.reverse()) this.#path.push(node);
    if (branch.nodes.at(-1) === last) this.#branches[this.#branches.indexOf(branch)] = null;
  }

  /** The branches, and how many messages each shares with the path as it is now. */
  shared(): readonly { readonly key: string; readonly at: number; readonly stale: boolean }[] {
    return this.#branches.flatMap((branch) => {
      const leaf = branch?.nodes.at(-1);
      if (!branch || leaf === undefined) return [];
      const at = this.#sharedBy(leaf);
      return [{ key: branch.key, at, stale: at !== branch.at }];
    });
  }
}
