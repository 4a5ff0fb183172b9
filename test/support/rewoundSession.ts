import { type Rng, seededRng } from '../../core/util/rng.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A made-up Claude Code session: a person asks, answers call tools in parallel, and now and then it goes back or forth. */
export class RewoundSession {
  readonly lines: Fields[] = [];
  readonly #rng: Rng;
  readonly #points: string[] = [];
  #serial = 0;
  #tip: string | null = null;

  constructor(seed: number) {
    this.#rng = seededRng(seed);
  }

  write(steps: number): void {
    for (let step = 0; step < steps; step++) {
      const rng = this.#rng;
      if (this.#points.length > 0 && rng.chance(0.3)) this.#tip = rng.pick(this.#points);
      this.#ask();
      const rounds = rng.below(4);
      for (let round = 0; round < rounds; round++) this.#round();
      if (rng.chance(0.7)) this.#say();
    }
  }

  /** Several programs go on with the session at the same time, each from where it was; now and then one goes back. */
  weave(steps: number, hands: number): void {
    this.write(1);
    const tips = Array.from({ length: hands }, () => this.#tip);
    for (let step = 0; step < steps; step++) {
      const hand = this.#rng.below(hands);
      this.#tip = this.#rng.chance(0.02) ? this.#rng.pick(this.#points) : (tips[hand] ?? null);
      if (this.#rng.chance()) this.#ask();
      else this.#say();
      tips[hand] = this.#tip;
    }
  }

  #add(type: string, fields: Fields): string {
    const uuid = `u${this.#serial++}`;
    this.lines.push({ type, uuid, parentUuid: this.#tip, sessionId: 's', isSidechain: false, version: '2', ...fields });
    return uuid;
  }

  #note(): void {
    if (!this.#rng.chance(0.2)) return;
    const isFile = this.#rng.chance();
    const fields = isFile ? { attachment: { type: 'file' } } : { subtype: 'info' };
    this.#tip = this.#add(isFile ? 'attachment' : 'system', fields);
  }

  #ask(): void {
    this.#note();
    this.#tip = this.#add('user', { message: { role: 'user', content: `words ${this.#serial}` } });
    this.#points.push(this.#tip);
  }

  #say(): void {
    this.#note();
    this.#tip = this.#answer(`m${this.#serial}`, [{ type: 'text', text: 'done' }]);
    this.#points.push(this.#tip);
  }

  #answer(id: string, content: readonly Fields[]): string {
    return this.#add('assistant', { message: { id, role: 'assistant', content } });
  }

  // One answer in several lines, each the child of the one before; each result is a child of its own call's line.
  #round(): void {
    this.#note();
    const rng = this.#rng;
    const id = `m${this.#serial}`;
    let answer = '';
    const results: { readonly call: string; readonly parent: string }[] = [];
    const count = 1 + rng.below(4);
    for (let at = 0; at < count; at++) {
      const call = `t${this.#serial}`;
      answer = this.#answer(id, [{ type: 'tool_use', id: call, name: 'Read', input: {} }]);
      this.#tip = answer;
      results.push({ call, parent: answer });
      if (rng.chance(0.3)) this.#results(results.splice(0, 1));
    }
    this.#results(rng.shuffle(results));
    // Whoever goes on from the answer has its results before what is said next.
    if (rng.chance(0.1)) this.#points.push(answer);
    if (rng.chance(0.2) && this.#tip !== null) this.#points.push(this.#tip);
  }

  #results(results: readonly { readonly call: string; readonly parent: string }[]): void {
    for (const { call, parent } of results) {
      this.#tip = parent;
      const content = [{ type: 'tool_result', tool_use_id: call, content: 'ok' }];
      this.#tip = this.#add('user', { message: { role: 'user', content } });
    }
  }
}
