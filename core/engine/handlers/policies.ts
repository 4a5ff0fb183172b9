import { checkScope, resolvePolicy } from '../../projection/contextScopes.ts';
import type { Handlers } from '../../protocol/serve.ts';
import type { PolicyScopesInfo } from '../../protocol/types.ts';
import { err, ok } from '../../util/result.ts';
import { type Engine, failure } from '../engine.ts';
import { scopesOf } from '../library/policyScopes.ts';

/** Context policies that are behind specs: where values come from, and the defaults themselves. */
export function policyHandlers(engine: Engine): Pick<Handlers, 'policy.resolve' | 'policy.setDefault'> {
  const { contextPolicies } = engine.library.tables;
  const infoOf = (id: string | null, options: Readonly<Record<string, unknown>>): PolicyScopesInfo => {
    const scopes = scopesOf(engine, id);
    return { values: resolvePolicy(options, scopes).values, ...scopes };
  };
  return {
    'policy.resolve': ({ id, options }) => ok(infoOf(id, options ?? {})),
    async 'policy.setDefault'({ scope, id = null, options }) {
      if (scope === 'transcript' && (id === null || engine.library.get(id) === null)) {
        return err(failure('transcript.unknown', `The library has no transcript ${id ?? ''}.`));
      }
      const faults = checkScope(options ?? {}).filter(({ severity }) => severity === 'error');
      if (faults.length > 0) {
        return err(failure('spec.invalid', faults.map(({ text }) => text).join(' '), JSON.stringify(faults)));
      }
      await engine.writable();
      if (scope === 'workspace') contextPolicies.setOfWorkspace(options);
      else if (id !== null) contextPolicies.setOfTranscript(id, options);
      for (const session of engine.sessions()) {
        if (scope === 'workspace' || session.id === id) engine.onCounter(session.id);
      }
      return ok(infoOf(id, {}));
    },
  };
}
