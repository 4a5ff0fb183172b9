// The same call again: what it gave before was there to be read.
import { type CallOutcome, recordedExchanges } from '../../model/exchanges.ts';
import type { TranscriptSource } from '../../model/transcript.ts';
import { detached } from '../../util/ints.ts';
import { StringMap } from '../../util/stringMap.ts';
import { callKey, pathKey, sayTheSame } from './calls.ts';
import type { EvidenceTexts } from './evidence.ts';
import { RUN_LEAST } from './grams.ts';
import { isStub, type Pointers } from './pointers.ts';
import { readSaid, type SaidMessage, textOfPart } from './said.ts';
import type { FoundUse, UseSource } from './types.ts';

/** Shorter results (`done`) are worth no second look, and say nothing of what was forgotten. */
const RESULT_LEAST = 40;
/** Longer results are looked for by their place alone. */
const RESULT_MOST = 4000;

/** Results of one call, as long as they are the same. */
interface Given {
  readonly places: UseSource[];
  evidenceId: number | null;
}

interface CallHistory {
  given: Given | null;
  failed: Given | null;
}

/** Follows calls and results. */
export class CallUses {
  readonly #source: TranscriptSource;
  readonly #evidence: EvidenceTexts;
  readonly #pointers: Pointers;
  readonly #found: (use: FoundUse) => void;
  /** What a call of this tool on this path gave last. */
  readonly #byPath = new StringMap<Given>();
  readonly #histories = new StringMap<CallHistory>();
  /** The last assistant message with calls, and which of them are done with. */
  #open: { readonly at: number; readonly done: Set<number> } | null = null;

  constructor(source: TranscriptSource, evidence: EvidenceTexts, pointers: Pointers, found: (use: FoundUse) => void) {
    this.#source = source;
    this.#evidence = evidence;
    this.#pointers = pointers;
    this.#found = found;
  }

  /** The next message. */
  take(index: number, { parts }: SaidMessage, isAssistant: boolean): void {
    if (!isAssistant) return;
    this.settle(index);
    const calls = parts.some(({ part }) => part.kind === 'tool_call');
    this.#open = calls ? { at: index, done: new Set() } : null;
  }

  /** The calls that are answered before this message. */
  settle(to: number): void {
    const open = this.#open;
    if (open === null) return;
    const [exchange] = recordedExchanges(this.#source, open.at, to);
    for (const call of exchange?.calls ?? []) {
      if (call.results.length === 0 || open.done.has(call.part)) continue;
      open.done.add(call.part);
      this.#settleCall(open.at, call);
    }
  }

  #settleCall(at: number, { part, results, outcome }: CallOutcome): void {
    const said = readSaid(this.#source, at);
    const call = said.parts[part];
    const [result] = results;
    if (call === undefined || result === undefined) return;
    const key = callKey(said.message, call.part);
    const history = this.#histories.get(key) ?? { given: null, failed: null };
    this.#histories.set(key, history);
    const text = this.#resultText(result.message, result.part);
    const place = { index: result.message, part: result.part, from: 0, to: text.length };
    const use = { at, part, from: 0, evidence: detached(textOfPart(call)) };
    const path = pathKey(said.message, call.part);
    const before = history.given ?? (path === null ? null : (this.#byPath.get(path) ?? null));
    if (before !== null && isStub(text)) {
      before.evidenceId ??= this.#evidence.resultId(before.places, this.#needleOf(before), at);
      this.#pointers.addStub(text, place, before.evidenceId);
      return;
    }
    if (outcome === 'failed') history.failed = this.#failedAgain(history.failed, use, place);
    else history.given = this.#givenAgain(history.given, use, place, text);
    if (path !== null && history.given !== null) this.#byPath.set(path, history.given);
  }

  #failedAgain(before: Given | null, call: CallPlace, place: UseSource): Given {
    if (before === null) return { places: [place], evidenceId: null };
    this.#addUse('repeated_failure', before, call, place, false);
    this.#addPlace(before, place);
    return before;
  }

  #givenAgain(before: Given | null, call: CallPlace, place: UseSource, text: string): Given {
    const first = { places: [place], evidenceId: null };
    const last = before?.places.at(-1);
    if (before === null || last === undefined) return first;
    const known = this.#resultText(last.index, last.part);
    const isSame = sayTheSame(known, text);
    if (text.trim().length < RESULT_LEAST || known.trim().length < RESULT_LEAST) return isSame ? before : first;
    this.#addUse('reread', before, call, place, !isSame);
    if (!isSame) return first;
    this.#addPlace(before, place);
    return before;
  }

  #addPlace(given: Given, place: UseSource): void {
    given.places.push(place);
    if (given.evidenceId !== null) this.#evidence.addResult(given.evidenceId, place);
  }

  #addUse(
    kind: 'reread' | 'repeated_failure',
    given: Given,
    call: CallPlace,
    { index, part }: UseSource,
    changed: boolean,
  ): void {
    given.evidenceId ??= this.#evidence.resultId(given.places, this.#needleOf(given), call.at);
    this.#evidence.used(given.evidenceId, call.at);
    this.#found({
      ...{ kind, ...call, to: call.evidence.length, changed },
      sources: given.places.slice(0, 3),
      again: { message: index, part },
      confidence: 'certain',
      evidenceId: given.evidenceId,
    });
  }

  #needleOf({ places }: Given): string | null {
    const [first] = places;
    const text = first === undefined ? '' : this.#resultText(first.index, first.part);
    return text.trim().length < RUN_LEAST || text.length > RESULT_MOST ? null : text;
  }

  #resultText(index: number, part: number): string {
    const said = readSaid(this.#source, index).parts[part];
    return said === undefined ? '' : textOfPart(said);
  }
}

type CallPlace = Pick<FoundUse, 'at' | 'part' | 'from' | 'evidence'>;
