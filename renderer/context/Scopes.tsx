import { useCallback, useEffect, useState } from 'react';
import type { StageSpec } from '../../core/projection/types.ts';
import type { ProtocolError } from '../../core/protocol/methods.ts';
import type { PolicyScopesInfo } from '../../core/protocol/types.ts';
import { useApp, useAppState } from '../state/context.tsx';
import { toProtocolError } from '../state/engine.ts';
import { newestAnswers } from '../state/inOrder.ts';
import { bySource, SOURCE_WORD, valueText } from './metaText.ts';

/** Where each value of the policy comes from: the policy itself, the transcript's, the workspace's, the default. */
export function Scopes({ stage }: { readonly stage: StageSpec }) {
  const { info, error, setDefault } = useScopes(stage);
  if (error) return <p className="drawer-error">Where values come from is not known: {error.message}</p>;
  if (!info) return null;
  const { set, defaults } = bySource(info.values);
  return (
    <div className="scopes" data-testid="scopes">
      <ul>
        {set.map(({ name, value, source }) => (
          <li key={name} data-source={source}>
            <span className="mono mute ellipsis">{name}</span>
            <span className="ellipsis" title={valueText(value)}>
              {valueText(value)}
            </span>
            <span className="faint">{SOURCE_WORD[source]}</span>
          </li>
        ))}
        {defaults.length > 0 && (
          <li className="faint" title={defaults.map(({ name }) => name).join(', ')}>
            {defaults.length} more at their default
          </li>
        )}
      </ul>
      <ScopeButtons info={info} setDefault={setDefault} />
    </div>
  );
}

type SetDefault = (scope: 'workspace' | 'transcript', isSet: boolean) => void;

function ScopeButtons({ info, setDefault }: { readonly info: PolicyScopesInfo; readonly setDefault: SetDefault }) {
  return (
    <p className="scope-actions">
      <span className="mute">Use as default of</span>
      {(['transcript', 'workspace'] as const).map((scope) => {
        const isSet = info[scope] !== null;
        return (
          <button
            key={scope}
            type="button"
            className="button"
            aria-pressed={isSet}
            title={
              isSet
                ? 'A default is set here: remove it'
                : `What this policy sets applies to every policy of ${scope === 'transcript' ? 'this transcript' : 'the workspace'} that does not set it`
            }
            onClick={() => setDefault(scope, !isSet)}
          >
            {isSet ? `${SOURCE_WORD[scope]}: clear` : SOURCE_WORD[scope]}
          </button>
        );
      })}
    </p>
  );
}

function useScopes({ options }: StageSpec) {
  const { engine, actions } = useApp();
  const id = useAppState((state) => state.session.id);
  const [info, setInfo] = useState<PolicyScopesInfo | null>(null);
  const [error, setError] = useState<ProtocolError | null>(null);
  const [asked] = useState(newestAnswers);
  const take = useCallback(
    async (answer: Promise<PolicyScopesInfo>) => {
      const isNewest = asked();
      try {
        const answered = await answer;
        if (!isNewest()) return;
        setInfo(answered);
        setError(null);
      } catch (thrown) {
        if (isNewest()) setError(toProtocolError(thrown));
      }
    },
    [asked],
  );
  const ask = useCallback(
    () => take(engine.call('policy.resolve', { id, ...(options ? { options } : {}) })),
    [engine, id, options, take],
  );
  useEffect(() => void ask(), [ask]);
  const setDefault: SetDefault = async (scope, isSet) => {
    const { pending: _pending, ...kept } = options ?? {};
    await take(engine.call('policy.setDefault', { scope, id, options: isSet ? kept : null }));
    await ask();
    actions.reproject();
  };
  return { info, error, setDefault };
}
