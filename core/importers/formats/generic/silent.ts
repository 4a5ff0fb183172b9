import type { SourceRecord } from '../../../model/importSink.ts';
import type { Problem } from '../../../model/problem.ts';
import { grouped } from '../../../util/counts.ts';

interface Entry {
  readonly role: string | null;
  readonly first: SourceRecord;
  count: number;
}

/** Counts the places that gave no message, by the role that is there. */
export class Silent {
  readonly #entries = new Map<string | null, Entry>();

  add(role: string | null, record: SourceRecord): void {
    const entry = this.#entries.get(role);
    if (entry) entry.count++;
    // Of a file with many roles of its making the first fifty are reported.
    else if (this.#entries.size < 50) this.#entries.set(role, { role, first: record, count: 1 });
  }

  problems(): readonly Problem[] {
    return [...this.#entries.values()].map(({ role, first: { line, byteStart, byteEnd }, count }) => {
      const many = count === 1 ? '1 record has' : `${grouped(count)} records have`;
      const where = { line, byteStart, byteEnd };
      if (role === null) {
        const text = `${many} no role where the mapping looks for it; kept as events.`;
        return { code: 'mapping.no_role', severity: 'info', text, where };
      }
      const text = `${many} the role ${JSON.stringify(role)}, which the mapping gives no meaning; kept as events.`;
      return { code: 'mapping.unknown_role', severity: 'warning', text, where };
    });
  }
}
