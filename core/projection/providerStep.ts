import { NO_TRAITS } from '../view/stageTraits.ts';
import type { ResolvedStage } from './parseSpec.ts';

/** A step of the provider's, as stages are listed: behind all of a spec, and run by nothing that runs stages. */
export function providerStep(position: number, kind: string, title: string): ResolvedStage {
  const begin = (): never => {
    throw new Error(`the provider's step ${kind} is not run as a stage`);
  };
  return {
    position,
    kind,
    title,
    family: 'recorded',
    enabled: true,
    usesTokens: false,
    rereads: false,
    traits: NO_TRAITS,
    keepsThinking: 'yes',
    key: kind,
    bound: { params: {}, keepsThinking: 'yes', begin, reconfigure: () => false },
  };
}
