// Calls that touch what an earlier sentence forbids.
import { looksOnly } from '../looks.ts';
import type { PlacedAnchor } from './anchorUses.ts';
import type { EvidenceTexts } from './evidence.ts';
import { type Imperative, imperativesOf, touches } from './rules.ts';
import { placedFields, type SaidMessage } from './said.ts';
import type { FoundUse, UseSource } from './types.ts';

/** Rules that are watched: the first of a session. */
const RULES_MOST = 300;

interface Rule extends Imperative {
  readonly place: UseSource;
}

/** Keeps the rules of a session, and finds who touches what they forbid. */
export class RuleUses {
  readonly #rules: Rule[] = [];
  readonly #evidence: EvidenceTexts;

  constructor(evidence: EvidenceTexts) {
    this.#evidence = evidence;
  }

  /** The imperatives said so far, with where. */
  get rules(): readonly Rule[] {
    return this.#rules;
  }

  /** A message that may say what has to be. */
  add(index: number, { parts }: SaidMessage): void {
    for (const said of parts) {
      if (said.part.kind !== 'text') continue;
      for (const [field, offset] of placedFields(said)) {
        for (const rule of imperativesOf(field)) {
          if (this.#rules.length >= RULES_MOST) return;
          const place = { index, part: said.at, from: rule.from + offset, to: rule.to + offset };
          this.#rules.push({ ...rule, place });
        }
      }
    }
  }

  /** What a message's calls touch of what is forbidden; each rule once. */
  uses(at: number, { message, parts }: SaidMessage, anchors: readonly PlacedAnchor[]): readonly FoundUse[] {
    const called = anchors.filter(({ place }) => parts[place.part]?.part.kind === 'tool_call');
    if (called.length === 0) return [];
    return this.#rules.flatMap((rule) => {
      if (!rule.forbids) return [];
      const hit = called.find(({ anchor, place }) => {
        if (!rule.anchors.some((named) => touches(anchor, named))) return false;
        const call = parts[place.part]?.part;
        return !(rule.ofActs && call !== undefined && looksOnly(message, call));
      });
      return hit === undefined ? [] : [this.#breachOf(at, rule, hit.place)];
    });
  }

  #breachOf(at: number, { text, place }: Rule, { part, from, to }: UseSource): FoundUse {
    return {
      kind: 'rule',
      ...{ at, part, from, to, evidence: text, sources: [place] },
      ...{ changed: false, again: null, confidence: 'suspect' },
      evidenceId: this.#evidence.textId([{ text, isWhole: false }], at),
    };
  }
}
