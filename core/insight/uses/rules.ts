// Imperatives: sentences of users and instructions that say what must be, or must not, and name something. What a later call
// touches of what is forbidden is a suspect, no more.
import { type Anchor, anchorsOf } from '../anchors/anchors.ts';

/** A sentence that says what must, or must not be. Offsets are of the text it was read from. */
export interface Imperative {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly forbids: boolean;
  /** It forbids changing or running, not reading. */
  readonly ofActs: boolean;
  /** What it names, at least one; of a sentence that forbids, what it names there. */
  readonly anchors: readonly Anchor[];
}

const SENTENCE = /[^\n]+?(?:[.!?](?=\s|$)|(?=\n|$))/g;
const SENTENCE_MOST = 400;
const IMPERATIVE =
  /\b(?:must|never|always|only|avoid|ensure|make sure|do not|don['’]t|shall|forbidden|prohibited|not allowed|required to)\b/i;
const FORBIDS =
  /\b(?:never|avoid|(?:do|must|should|shall|may|can)\s+not|don['’]t|mustn['’]t|cannot|can['’]t|forbidden|prohibited|not allowed|off limits)\b/i;
const ACTS =
  /\b(?:edit|modify|chang|writ|touch|overwrit|delet|remov|renam|mov|commit|push|creat|add|updat|refactor|rewrit|format|invok|execut|launch|start|run\b|runs\b|running\b|call)/i;

/** The imperatives of a text. */
export function imperativesOf(text: string): readonly Imperative[] {
  if (!IMPERATIVE.test(text)) return [];
  const found: Imperative[] = [];
  for (const { 0: sentence, index } of text.matchAll(SENTENCE)) {
    if (sentence.length > SENTENCE_MOST || !IMPERATIVE.test(sentence)) continue;
    const no = FORBIDS.exec(sentence);
    const anchors = anchorsOf(sentence).filter(
      ({ kind, from }) => kind !== 'number' && (no === null || isNear(no, from)),
    );
    if (anchors.length === 0) continue;
    const from = index + (sentence.length - sentence.trimStart().length);
    const own = sentence.trim();
    found.push({ text: own, from, to: from + own.length, forbids: no !== null, ofActs: ACTS.test(own), anchors });
  }
  return found;
}

const NEAR = 60;

function isNear(no: RegExpExecArray, from: number): boolean {
  const end = no.index + no[0].length;
  return from >= end && from - end <= NEAR;
}

/** True if naming `used` touches what a rule names: the same, or something within the folder it names. */
export function touches(used: Anchor, named: Anchor): boolean {
  if (used.text === named.text) return true;
  if (named.kind !== 'path') return false;
  const [path, rule] = [used.text.replace(/\/$/, ''), named.text.replace(/\/$/, '').replace(/^\.?\//, '')];
  if (rule === '' || used.kind !== 'path') return false;
  return `/${path}/`.includes(`/${rule}/`);
}
