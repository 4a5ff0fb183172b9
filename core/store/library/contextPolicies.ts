import type { Connection } from '../database.ts';
import { readStored } from './storeProblem.ts';

type Options = Readonly<Record<string, unknown>>;

/** The key of the workspace's policy among the settings. */
const WORKSPACE = 'contextPolicy';

/** Context policies that are behind a spec's own: a transcript's, by public id, and the workspace's. */
export class ContextPolicies {
  readonly #get;
  readonly #put;
  readonly #drop;
  readonly #getSetting;
  readonly #putSetting;
  readonly #dropSetting;

  constructor(db: Connection) {
    this.#get = db.prepare<[string], string>('SELECT options FROM context_policies WHERE uid = ?').pluck();
    this.#put = db.prepare<[string, string]>('INSERT OR REPLACE INTO context_policies (uid, options) VALUES (?, ?)');
    this.#drop = db.prepare<[string]>('DELETE FROM context_policies WHERE uid = ?');
    this.#getSetting = db.prepare<[string], string>('SELECT value FROM settings WHERE key = ?').pluck();
    this.#putSetting = db.prepare<[string, string]>('INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)');
    this.#dropSetting = db.prepare<[string]>('DELETE FROM settings WHERE key = ?');
  }

  /** A transcript's policy; null if it has none. */
  ofTranscript(uid: string): Options | null {
    return optionsOf(this.#get.get(uid));
  }

  /** The workspace's policy; null if there is none. */
  ofWorkspace(): Options | null {
    return optionsOf(this.#getSetting.get(WORKSPACE));
  }

  /** Sets a transcript's policy; null takes it away. */
  setOfTranscript(uid: string, options: Options | null): void {
    if (options === null) this.#drop.run(uid);
    else this.#put.run(uid, JSON.stringify(options));
  }

  /** Sets the workspace's policy; null takes it away. */
  setOfWorkspace(options: Options | null): void {
    if (options === null) this.#dropSetting.run(WORKSPACE);
    else this.#putSetting.run(WORKSPACE, JSON.stringify(options));
  }
}

// What is kept was checked when it was set; anybody may have written the setting since.
function optionsOf(json: string | undefined): Options | null {
  if (json === undefined) return null;
  const value: unknown = readStored(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}
