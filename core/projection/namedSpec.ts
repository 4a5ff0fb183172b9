import { PRESETS, presetNamed } from './presets.ts';
import { STAGES } from './stages.ts';

/** The spec that a bare name means; null = nothing is called so. A name of both is the preset's: so the screen means it. */
export function namedSpec(name: string): unknown {
  return presetNamed(name)?.spec ?? (STAGES.find(name) !== null ? name : null);
}

/** What to say of a name that nothing has. */
export function noSuchPolicy(name: string): string {
  const names = new Set([...STAGES.stages.map((stage) => stage.kind), ...PRESETS.map((each) => each.name)]);
  return `there is no policy "${name}"; there are ${[...names].join(', ')}; a preset’s name with _after_recorded is that preset on what recorded compactions kept`;
}
