import { existsSync } from 'node:fs';
import { problemTexts } from '../../core/model/problem.ts';
import type { BundleOrigin, TranscriptSource } from '../../core/model/transcript.ts';
import { checkScope, type PolicyScopes, withScopes } from '../../core/projection/contextScopes.ts';
import { namedSpec, noSuchPolicy } from '../../core/projection/namedSpec.ts';
import { type ParsedSpec, parseSpec } from '../../core/projection/parseSpec.ts';
import { defaultSpec } from '../../core/projection/presets.ts';
import { STAGES } from '../../core/projection/stages.ts';
import { isRecord } from '../../core/util/unknown.ts';
import { usageFailure } from './failure.ts';
import { note } from './output.ts';
import { readSmallText } from './smallFile.ts';
import { type ThinkingOptions, withThinking } from './thinking.ts';

/** The options that choose a spec. */
export interface SpecOptions extends ThinkingOptions {
  readonly policy?: string;
  readonly spec?: string;
  readonly policyScopes?: string;
}

/** The spec chosen on the command line; without a choice the raw history. */
export function specOf(options: SpecOptions): ParsedSpec {
  if (options.policy !== undefined && options.spec !== undefined) {
    throw usageFailure('give --policy or --spec, not both');
  }
  if (options.policy !== undefined) return parsedOrFail(specOfName(options.policy));
  // An unset variable of a shell, most likely: not a wish for the raw history.
  if (options.spec?.trim() === '') throw usageFailure('--spec is empty; give a policy’s name, JSON, or a file with it');
  return parsedOrFail(options.spec === undefined ? 'raw' : specValue(options.spec));
}

/** The spec that an option names (`--a`): a policy's or preset's name, JSON, or a file with it. */
export function specNamed(option: string, given: string): ParsedSpec {
  if (given.trim() === '') throw usageFailure(`${option} is empty; give a policy’s name, JSON, or a file with it`);
  return parsedOrFail(specValue(given));
}

/** A transcript, and if it was read from a bundle what that says. */
type Chosen = TranscriptSource & { readonly bundle?: BundleOrigin | null };

/** The spec chosen; without a choice that of a bundle, or what the runtime kept where the transcript records compactions. */
export function specFor(chosen: ParsedSpec, options: SpecOptions, source: Chosen): ParsedSpec {
  const isChosen = options.policy !== undefined || options.spec !== undefined;
  const parsed = isChosen
    ? chosen
    : parsedOrFail(source.bundle?.spec ?? defaultSpec(source.compactions().length > 0, hasProjections(source)));
  const scoped =
    options.policyScopes === undefined ? parsed : withScopes(parsed, scopesOf(options.policyScopes), STAGES);
  return { ...scoped, spec: withThinking(scoped.spec, options) };
}

function hasProjections(source: Chosen): boolean {
  return (source.projections?.() ?? []).length > 0;
}

/** As {@link specFor}; what the spec says without effect is printed, for commands whose result has no place for it. */
export function specNotingWarnings(chosen: ParsedSpec, options: SpecOptions, source: Chosen): ParsedSpec {
  const parsed = specFor(chosen, options, source);
  for (const problem of parsed.warnings) note(`the spec: ${problemTexts([problem])}`);
  return parsed;
}

// Policies that are behind the spec's own: what the app keeps for a transcript and for the workspace.
function scopesOf(given: string): PolicyScopes {
  const value = jsonValue(given, '--policy-scopes');
  const fields = isRecord(value) ? value : {};
  const of = (name: string) => {
    const options = fields[name];
    if (options === undefined || options === null) return null;
    const faults = isRecord(options) ? checkScope(options).filter(({ severity }) => severity === 'error') : [];
    if (isRecord(options) && faults.length === 0) return options;
    throw usageFailure(`--policy-scopes: ${name}: ${problemTexts(faults) || 'it must be an object'}`, 'spec.invalid');
  };
  const unknown = Object.keys(fields).filter((name) => name !== 'transcript' && name !== 'workspace');
  if (!isRecord(value) || unknown.length > 0) {
    throw usageFailure('--policy-scopes must be an object with transcript and workspace, each a policy’s options');
  }
  return { transcript: of('transcript'), workspace: of('workspace') };
}

/** Parses a spec of any kind; a failure names every fault. */
export function parsedOrFail(value: unknown): ParsedSpec {
  const parsed = parseSpec(value, STAGES);
  if (!parsed.ok) throw usageFailure(problemTexts(parsed.error), 'spec.invalid');
  return parsed.value;
}

function specOfName(name: string): unknown {
  const known = namedSpec(name);
  if (known !== null) return known;
  throw usageFailure(noSuchPolicy(name), 'spec.invalid');
}

// A bare policy name is a spec too; a file of that name goes first.
function specValue(given: string): unknown {
  if (!existsSync(given)) {
    const known = namedSpec(given);
    if (known !== null) return known;
    if (/^\w+$/.test(given)) throw usageFailure(`no file has this name, and ${noSuchPolicy(given)}`, 'spec.invalid');
  }
  return jsonValue(given, 'the spec');
}

function jsonValue(given: string, what: string): unknown {
  const text = /^\s*[{["]/.test(given) ? given : readSmallText(given);
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw usageFailure(`${what} is not JSON: ${error.message}`, 'spec.invalid');
  }
}
