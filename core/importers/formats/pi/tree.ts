// Which entries a session's transcripts hold. The active branch is the path from the last entry to the root, as the
// agent reads it; what hangs beside it is another branch if it says anything.

/** An entry's place in the tree: its parent's serial (always smaller; -1 = none), and whether it may be a message. */
export interface TreeNode {
  readonly parent: number;
  readonly speaks: boolean;
}

/** One other branch: its path from the root, and the first entry on it that no transcript before it holds. */
export interface OtherBranch {
  readonly leaf: number;
  readonly path: readonly number[];
  readonly own: ReadonlySet<number>;
}

/** `active` in the order of the file: the active path and what belongs to no branch; `others` by their leaves. */
export interface Branches {
  readonly active: readonly number[];
  readonly others: readonly OtherBranch[];
}

/** Splits a tree into its active branch (that of the last node) and the others. Every node is in `active` or in one `own`. */
export function branchesOf(nodes: readonly TreeNode[]): Branches {
  const isParent = new Uint8Array(nodes.length);
  for (const { parent } of nodes) if (parent >= 0) isParent[parent] = 1;
  const covered = new Uint8Array(nodes.length);
  for (const serial of pathTo(nodes, nodes.length - 1)) covered[serial] = 1;
  const others: OtherBranch[] = [];
  for (let leaf = 0; leaf < nodes.length; leaf++) {
    if (isParent[leaf] === 1 || covered[leaf] === 1) continue;
    const path = pathTo(nodes, leaf);
    const own = path.filter((serial) => covered[serial] === 0);
    if (!own.some((serial) => nodes[serial]?.speaks === true)) continue;
    for (const serial of own) covered[serial] = 2;
    others.push({ leaf, path, own: new Set(own) });
  }
  const active = nodes.flatMap((_node, serial) => (covered[serial] === 2 ? [] : [serial]));
  return { active, others };
}

function pathTo(nodes: readonly TreeNode[], leaf: number): readonly number[] {
  const path: number[] = [];
  for (let at = leaf; at >= 0; at = nodes[at]?.parent ?? -1) path.push(at);
  return path.reverse();
}
