/**
 * Rulesets and their versions as rows. A version is the JSON text that the API sends, written once and never changed;
 * `rulesets` says which version is current. The database ensures that a phase has at most one entry point. The history of a
 * ruleset is bounded by count and by size, and its oldest versions are deleted first. The current version is always kept, so
 * a version number is never used twice.
 */
import { assert } from '#base';
import { type Ruleset, type RulesetKind, type RulesetSummary, summaryOf } from '#firewall';
import { rulesetVersionsBytesMax, rulesetVersionsMax } from '../context/limits.ts';
import type { Sql } from '../context/tables/sql.ts';

export const rulesetTables = [
  // `sequence` is the order of creation.
  `CREATE TABLE IF NOT EXISTS rulesets (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    phase TEXT NOT NULL,
    version INTEGER NOT NULL
  )`,
  "CREATE UNIQUE INDEX IF NOT EXISTS entry_points ON rulesets (phase) WHERE kind <> 'custom'",
  // The summary is a column of its own and comes first: the document of a large ruleset is read only when needed.
  `CREATE TABLE IF NOT EXISTS ruleset_versions (
    ruleset_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    summary TEXT NOT NULL,
    document TEXT NOT NULL,
    PRIMARY KEY (ruleset_id, version)
  )`,
];

const current =
  'rulesets JOIN ruleset_versions AS v ON v.ruleset_id = rulesets.id AND v.version = rulesets.version';

export class RulesetStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): Ruleset | undefined {
    return this.#readDocument(`SELECT document FROM ${current} WHERE rulesets.id = ?`, id);
  }

  findEntryPoint(phase: string): Ruleset | undefined {
    return this.#readDocument(`SELECT document FROM ${current} WHERE phase = ? AND kind <> 'custom'`, phase);
  }

  hasEntryPoint(phase: string): boolean {
    const rows = this.#sql.exec("SELECT 1 FROM rulesets WHERE phase = ? AND kind <> 'custom'", phase);
    return rows.toArray().length > 0;
  }

  countCustom(phase: string): number {
    return this.#sql
      .exec<{ total: number }>(
        "SELECT count(*) AS total FROM rulesets WHERE phase = ? AND kind = 'custom'",
        phase,
      )
      .one().total;
  }

  /** Of the current versions of all rulesets but one. */
  countBytesBeside(id: string): number {
    return this.#sql
      .exec<{ bytes: number }>(
        `SELECT ifnull(sum(bytes), 0) AS bytes FROM ${current} WHERE rulesets.id <> ?`,
        id,
      )
      .one().bytes;
  }

  /** In the order of creation. */
  listSummaries(): readonly RulesetSummary[] {
    const rows = this.#sql.exec<{ summary: string }>(`SELECT summary FROM ${current} ORDER BY sequence`);
    return Array.from(rows, ({ summary }) => JSON.parse(summary) as RulesetSummary);
  }

  /** Complete rulesets in the order of creation: the entry points, or the custom ones. */
  listAll(which: 'entry points' | 'custom'): readonly Ruleset[] {
    const rows = this.#sql.exec<{ document: string }>(
      `SELECT document FROM ${current} WHERE (kind = 'custom') = ? ORDER BY sequence`,
      Number(which === 'custom'),
    );
    return Array.from(rows, ({ document }) => JSON.parse(document) as Ruleset);
  }

  /** The rulesets whose JSON contains the text. */
  findContaining(text: string): readonly Ruleset[] {
    const rows = this.#sql.exec<{ document: string }>(
      `SELECT document FROM ${current} WHERE instr(document, ?) > 0 ORDER BY sequence`,
      text,
    );
    return Array.from(rows, ({ document }) => JSON.parse(document) as Ruleset);
  }

  /** Stores the current version of a ruleset, existing or new. */
  put(ruleset: Ruleset, document: { readonly text: string; readonly bytes: number }): void {
    const { id, kind, phase } = ruleset;
    const version = Number(ruleset.version);
    this.#sql.exec(
      `INSERT INTO rulesets (id, kind, phase, version) VALUES (?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET version = excluded.version`,
      id,
      kind satisfies RulesetKind,
      phase,
      version,
    );
    this.#sql.exec(
      'INSERT INTO ruleset_versions VALUES (?, ?, ?, ?, ?)',
      id,
      version,
      document.bytes,
      JSON.stringify(summaryOf(ruleset)),
      document.text,
    );
    this.#prune(id);
  }

  /** Removes the ruleset with all its versions. */
  remove(id: string): void {
    this.#sql.exec('DELETE FROM rulesets WHERE id = ?', id);
    this.#sql.exec('DELETE FROM ruleset_versions WHERE ruleset_id = ?', id);
  }

  /** The oldest first. */
  listVersionSummaries(id: string): readonly RulesetSummary[] {
    const rows = this.#sql.exec<{ summary: string }>(
      'SELECT summary FROM ruleset_versions WHERE ruleset_id = ? ORDER BY version',
      id,
    );
    return Array.from(rows, ({ summary }) => JSON.parse(summary) as RulesetSummary);
  }

  getVersion(id: string, version: string): Ruleset | undefined {
    return this.#readDocument(
      'SELECT document FROM ruleset_versions WHERE ruleset_id = ? AND version = ?',
      id,
      Number(version),
    );
  }

  removeVersion({ id, version }: Ruleset): void {
    const { version: newest } = this.#sql
      .exec<{ version: number }>('SELECT version FROM rulesets WHERE id = ?', id)
      .one();
    assert(String(newest) !== version, `cannot remove the current version: ${version} of ${id}`);
    this.#sql.exec('DELETE FROM ruleset_versions WHERE ruleset_id = ? AND version = ?', id, Number(version));
  }

  #readDocument(query: string, ...values: (string | number)[]): Ruleset | undefined {
    const [row] = this.#sql.exec<{ document: string }>(query, ...values);
    return row && (JSON.parse(row.document) as Ruleset);
  }

  #prune(id: string): void {
    const { count, bytes } = this.#sql
      .exec<{ count: number; bytes: number }>(
        'SELECT count(*) AS count, sum(bytes) AS bytes FROM ruleset_versions WHERE ruleset_id = ?',
        id,
      )
      .one();
    if (count <= rulesetVersionsMax && bytes <= rulesetVersionsBytesMax) return;
    this.#sql.exec(
      `DELETE FROM ruleset_versions WHERE ruleset_id = ?1 AND version IN (
        SELECT version FROM (
          SELECT version, row_number() OVER newer AS place, sum(bytes) OVER newer AS bytes
          FROM ruleset_versions WHERE ruleset_id = ?1
          WINDOW newer AS (ORDER BY version DESC)
        ) WHERE place > ?2 OR (bytes > ?3 AND place > 1)
      )`,
      id,
      rulesetVersionsMax,
      rulesetVersionsBytesMax,
    );
  }
}
