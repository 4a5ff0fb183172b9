// Which transcripts a search tree holds: the path to the best leaf, and the path to each other leaf.

/** A node's place: its parent's serial (always smaller; -1 = none), whether it says anything, a finished leaf's reward. */
export interface TreeNode {
  readonly parent: number;
  readonly speaks: boolean;
  readonly score: number | null;
}

/** A path from the root to a leaf, of which the first `shared` nodes stand on the main path too. */
export interface TreePath {
  readonly leaf: number;
  readonly nodes: readonly number[];
  readonly shared: number;
}

/** `paths`: the main one first; `silent`: nodes not acted on, with nothing said below them. Each node is in one of both. */
export interface TreePaths {
  readonly paths: readonly TreePath[];
  readonly silent: readonly number[];
}

/** The paths of a tree. The main leaf has the highest score; where none has one it is the last leaf. */
export function pathsOf(nodes: readonly TreeNode[]): TreePaths {
  const lives = new Uint8Array(nodes.length);
  const isInner = new Uint8Array(nodes.length);
  for (let serial = nodes.length - 1; serial >= 0; serial--) {
    const node = nodes[serial];
    if (!node || (lives[serial] === 0 && !node.speaks)) continue;
    lives[serial] = 1;
    if (node.parent < 0) continue;
    lives[node.parent] = 1;
    isInner[node.parent] = 1;
  }
  const all = nodes.map((_node, serial) => serial);
  const silent = all.filter((serial) => lives[serial] === 0);
  const leaves = all.filter((serial) => lives[serial] === 1 && isInner[serial] === 0);
  const [last] = leaves.slice(-1);
  if (last === undefined) return { paths: [], silent };
  const best = leaves.reduce((one, other) => (scoreAt(nodes, other) > scoreAt(nodes, one) ? other : one), last);
  const onMain = new Set(pathTo(nodes, best));
  const paths = [best, ...leaves.filter((leaf) => leaf !== best)].map((leaf) => {
    const path = pathTo(nodes, leaf);
    const own = path.findIndex((serial) => !onMain.has(serial));
    return { leaf, nodes: path, shared: own < 0 ? path.length : own };
  });
  return { paths, silent };
}

function scoreAt(nodes: readonly TreeNode[], serial: number): number {
  return nodes[serial]?.score ?? Number.NEGATIVE_INFINITY;
}

function pathTo(nodes: readonly TreeNode[], leaf: number): readonly number[] {
  const path: number[] = [];
  for (let at = leaf; at >= 0; at = nodes[at]?.parent ?? -1) path.push(at);
  return path.reverse();
}
