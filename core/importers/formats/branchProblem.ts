import type { Problem } from '../../model/problem.ts';
import type { BranchPath } from './branchPath.ts';

/** Says how many branches a conversation has beside the active one. Only for a path that has some, or refused some. */
export function branchProblem({ branches, refused }: Pick<BranchPath, 'branches' | 'refused'>): Problem {
  const beside = branches === 1 ? 'is another branch, which is' : `are ${branches} other branches, each`;
  const text = `The conversation was rewound or edited: beside the active branch there ${beside} a transcript of its own.`;
  const more = ` ${refused} times more it went back and was read on as if it had not: so many branches would take more room than all else.`;
  return { code: 'import.branches', severity: 'info', text: refused === 0 ? text : text + more };
}
