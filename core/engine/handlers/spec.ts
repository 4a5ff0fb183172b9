import { parseSpec } from '../../projection/parseSpec.ts';
import { PRESETS } from '../../projection/presets.ts';
import { STAGES } from '../../projection/stages.ts';
import type { Handlers } from '../../protocol/serve.ts';
import type { ModelInfo } from '../../protocol/types.ts';
import { modelFacts } from '../../tokens/models.ts';
import { ok } from '../../util/result.ts';

/** Models offered by name; others are recognised by their recorded ids (see core/tokens/models.ts). */
const OFFERED: readonly (readonly [string, string])[] = [
  ['claude-opus-4-6', 'Claude Opus 4.6'],
  ['claude-sonnet-4-6', 'Claude Sonnet 4.6'],
  ['claude-sonnet-4-5', 'Claude Sonnet 4.5'],
  ['claude-haiku-4-5', 'Claude Haiku 4.5'],
  ['gpt-5.4', 'GPT-5.4'],
  ['gpt-5', 'GPT-5'],
  ['gpt-4.1', 'GPT-4.1'],
  ['gpt-4o', 'GPT-4o'],
  ['gemini-2.5-pro', 'Gemini 2.5 Pro'],
];

/** Specs: what there is to choose from, and what a text means. */
export function specHandlers(): Pick<Handlers, 'spec.describe' | 'spec.parse'> {
  return {
    'spec.describe': () =>
      ok({
        stages: STAGES.stages.map(({ kind, family, title, help, params, keepsThinking, traits }) => {
          return { kind, family, title, help, params, keepsThinking, traits };
        }),
        presets: PRESETS,
        models: OFFERED.flatMap(([id, title]) => modelInfo(id, title)),
      }),
    'spec.parse'({ spec }) {
      const parsed = parseSpec(spec, STAGES);
      if (!parsed.ok) return ok({ spec: null, problems: parsed.error });
      return ok({ spec: parsed.value.spec, problems: parsed.value.warnings });
    },
  };
}

function modelInfo(id: string, title: string): ModelInfo[] {
  const { window, tokenizer, exact } = modelFacts(id);
  return window === null ? [] : [{ id, title, window, tokenizer, exact }];
}
