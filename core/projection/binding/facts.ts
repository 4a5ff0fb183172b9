// What a transcript records of its requests, as far as the check of thinking blocks asks for it.
import type { MessageMeta } from '../../model/message.ts';
import type { TranscriptMeta } from '../../model/transcript.ts';
import { isRecord, recordAt, stringAt } from '../../util/unknown.ts';
import type { ProjectionSpec } from '../types.ts';
import { type BindingFacts, bindingOf, type PreservedThinking } from './setting.ts';
import type { BindingInputs } from './types.ts';

/** Where the facts are read. */
export interface BindingSource {
  /** The model of the next request; null = not known. */
  readonly model: string | null;
  /** Models recorded with the messages. */
  readonly models: readonly string[];
  readonly meta: Pick<TranscriptMeta, 'models' | 'settingsJson' | 'bundle'>;
  metaAt(index: number): MessageMeta;
}

/**
 * What the check knows of a transcript's requests; null = there is nothing to check. A bundle is checked as it was when
 * it was made: its spec says how, or it was not.
 */
export function bindingInputs(setting: PreservedThinking | undefined, source: BindingSource): BindingInputs | null {
  if (setting === undefined && source.meta.bundle !== undefined) return null;
  return bindingOf(setting, bindingFacts(source));
}

function bindingFacts({ model, models, meta, metaAt }: BindingSource): BindingFacts {
  return {
    model,
    makers: [...models, ...(meta.models ?? [])],
    makerOf: (index) => metaAt(index).model ?? null,
    recorded: recordedBehaviour(meta.settingsJson),
  };
}

/** `thinking.block_binding.prefix_mismatch_behavior` of a recorded request. */
export function recordedBehaviour(settingsJson: string | undefined): 'error' | 'drop_block' | undefined {
  if (settingsJson === undefined || !settingsJson.includes('block_binding')) return undefined;
  const settings: unknown = JSON.parse(settingsJson);
  const thinking = isRecord(settings) ? recordAt(settings, 'thinking') : undefined;
  const said = stringAt(recordAt(thinking ?? {}, 'block_binding') ?? {}, 'prefix_mismatch_behavior');
  return said === 'error' || said === 'drop_block' ? said : undefined;
}

/** The spec that gives the same outcome again wherever a bundle of it is read: what was left open is written out. */
export function settledSpec(spec: ProjectionSpec, inputs: BindingInputs | null): ProjectionSpec {
  if (inputs === null) return spec;
  const setting = spec.preserved_thinking;
  const asked = setting?.mode ?? 'auto';
  const mode = asked === 'auto' ? autoMode(inputs) : asked;
  const model = inputs.reader === null ? {} : { model: inputs.reader };
  return { ...spec, preserved_thinking: { ...setting, mode, ...model } };
}

// What the recorded request asked for is as good as asked for.
function autoMode({ onMismatch, enforced }: BindingInputs): PreservedThinking['mode'] {
  return enforced === true && onMismatch !== 'allowed' ? onMismatch : 'auto';
}
