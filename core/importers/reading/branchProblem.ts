import type { Problem } from '../../model/problem.ts';
import { grouped } from '../../util/counts.ts';
import type { BranchPath } from './branchPath.ts';

/** Says how many branches a conversation has apart from the active one. Only for a path that has some, or refused some. */
export function branchProblem({ branches, refused }: Pick<BranchPath, 'branches' | 'refused'>): Problem {
  const others = branches === 1 ? 'is another branch,' : `are ${grouped(branches)} other branches, each`;
  const text = `The conversation was rewound or edited: apart from the active branch there ${others} a separate transcript.`;
  const more = ` ${grouped(refused)} times more it went back and was read on as if it had not: so many branches would take more room than all else.`;
  return { code: 'import.branches', severity: 'info', text: refused === 0 ? text : text + more };
}
