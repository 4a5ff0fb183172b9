// The lint of a request as it was written: what types don't say (order, pairs, ids, empty content).
import { memorySource } from '../model/memorySource.ts';
import {
  DEFAULT_OPTIONS,
  detectionOf,
  type Finding,
  lint,
  openDrafts,
  profileOf,
  type RuleContext,
} from '../stages/hygiene/index.ts';
import { createMemo } from '../view/memo.ts';
import { rawView } from '../view/reader.ts';
import { TARGETS, type WireBody } from './types.ts';

/** A finding in a request; `index` is the source message that the request's message came from. */
export type BodyFinding = Omit<Finding, 'repair'>;

/** What the provider would refuse of the request. `position` counts the messages (or items) of the body. */
export function lintBody(body: WireBody, sha256: (text: string) => string): readonly BodyFinding[] {
  const { wire, profile } = TARGETS[body.target];
  const source = memorySource(body.entries.map(({ message }) => message));
  const memo = createMemo();
  const messages = openDrafts(rawView(source, source.length, memo), source, memo);
  const context: RuleContext = {
    options: { ...DEFAULT_OPTIONS, ...profileOf(detectionOf(profile), true).options },
    sha256,
    resized: new Map(),
  };
  return lint({ messages, wire, context }).map(({ code, severity, text, position }) => {
    const index = body.entries[position]?.index ?? null;
    return { code, severity, text, position, index };
  });
}
