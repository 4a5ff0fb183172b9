import type { LintInfo, LintRepairInfo, RequestLintInfo } from '../../core/protocol/types.ts';
import { useAppState } from '../state/context.tsx';
import { type Answer, useAnswer } from '../state/useAnswer.ts';
import { useProjectedSpec } from '../state/useProjectedSpec.ts';

const WAIT_MS = 120;

/** What is linted: the projection on screen, for the chosen target; null = nothing is open. And how it is asked for. */
function useRequest() {
  const id = useAppState((state) => state.session.id);
  // The spec the engine projected, so that the list never runs ahead of the panes.
  const spec = useProjectedSpec();
  const at = useAppState((state) => state.projection.info?.at);
  const isAhead = useAppState((state) => state.projection.at === null);
  const target = useAppState((state) => state.lintTarget);
  const request = id === null || spec === null ? null : { id, spec, at: isAhead ? null : (at ?? null), ...target };
  return { request, how: { wait: WAIT_MS, about: id, again: [at] } };
}

/** What the provider would refuse of the projection on screen. */
export function useLint(): Answer<LintInfo> {
  const { request, how } = useRequest();
  const answer = useAnswer('lint.run', request, how);
  return { ...answer, isLoading: request === null || answer.isLoading };
}

/**
 * What only the request as it is written can show, for the wire of the lint that is shown: it goes with its question, for what
 * was said of another request says nothing of this one. The lint never waits for it.
 */
export function useRequestLint(lint: LintInfo | null): Answer<RequestLintInfo> {
  const { request, how } = useRequest();
  const target = lint?.target ?? null;
  const { wait, again } = how;
  return useAnswer('lint.request', request === null || target === null ? null : writtenFor(request, target), {
    wait,
    again,
  });
}

type Asked = NonNullable<ReturnType<typeof useRequest>['request']>;

function writtenFor({ id, spec, at, model }: Asked, target: NonNullable<LintInfo['target']>) {
  return { id, spec, at, target, model };
}

/** What a rule (null = the whole profile) would do to it; `rule` undefined = nothing is asked. */
export function useRepair(rule: string | null | undefined): Answer<LintRepairInfo> {
  const { request, how } = useRequest();
  return useAnswer('lint.repair', request === null || rule === undefined ? null : { ...request, rule }, how);
}
