/**
 * Rulesets and their versions as rows. A version is the JSON text that the API sends, written once and never changed;
 * `rulesets` says which version is current. The database ensures that a phase has at most one entry point. The history of a
 * ruleset is bounded by count and by size, and its oldest versions are deleted first. The current version is always kept, so
 * a version number is never used twice.
 */
import { assert } from '#base';
import { type Ruleset, type RulesetKind, type RulesetSummary, summaryOf } from '#rulesets';
import { rulesetVersionsBytesMax, rulesetVersionsMax } from '../context/limits.ts';
import { json, type Stored, text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { Table } from '../context/tables/table.ts';

const rulesetTable = new Table('rulesets', {
  sequence: 'rowid',
  columns: {
    id: text({ isUnique: true }),
    kind: text<RulesetKind>(),
    phase: text(),
    /** The current version. */
    version: whole(),
  },
  attached: ["CREATE UNIQUE INDEX IF NOT EXISTS entry_points ON rulesets (phase) WHERE kind <> 'custom'"],
});

const versionTable = new Table('ruleset_versions', {
  key: ['rulesetId', 'version'],
  columns: {
    rulesetId: text(),
    version: whole(),
    /** The size of the document. */
    bytes: whole(),
    /** A separate column before the document, which is long in a large ruleset and only read when needed. */
    summary: json<RulesetSummary>(),
    document: text(),
  },
});

export const rulesetTables = [rulesetTable, versionTable];

const isCurrent = `JOIN rulesets ON rulesets.id = ruleset_versions.ruleset_id
  AND rulesets.version = ruleset_versions.version`;

export class RulesetStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): Ruleset | undefined {
    return this.#readDocuments(`${isCurrent} WHERE rulesets.id = ?`, id)[0];
  }

  findEntryPoint(phase: string): Ruleset | undefined {
    return this.#readDocuments(`${isCurrent} WHERE phase = ? AND kind <> 'custom'`, phase)[0];
  }

  hasEntryPoint(phase: string): boolean {
    return rulesetTable.count(this.#sql, "WHERE phase = ? AND kind <> 'custom'", phase) > 0;
  }

  countCustom(phase: string): number {
    return rulesetTable.count(this.#sql, "WHERE phase = ? AND kind = 'custom'", phase);
  }

  /** The size of the current versions of all rulesets but one. */
  countBytesBeside(id: string): number {
    const bytes = versionTable.pick(this.#sql, 'bytes', `${isCurrent} WHERE rulesets.id <> ?`, id);
    return bytes.reduce((sum, each) => sum + each, 0);
  }

  /** In order of creation. */
  listSummaries(): readonly RulesetSummary[] {
    return versionTable.pick(this.#sql, 'summary', `${isCurrent} ORDER BY sequence`);
  }

  /** Complete rulesets in order of creation: the entry points, or the custom ones. */
  listAll(which: 'entry points' | 'custom'): readonly Ruleset[] {
    const isCustom = Number(which === 'custom');
    return this.#readDocuments(`${isCurrent} WHERE (kind = 'custom') = ? ORDER BY sequence`, isCustom);
  }

  /** The rulesets whose JSON contains the text. */
  findContaining(text: string): readonly Ruleset[] {
    return this.#readDocuments(`${isCurrent} WHERE instr(document, ?) > 0 ORDER BY sequence`, text);
  }

  /** Stores the current version of a ruleset, existing or new. */
  put(ruleset: Ruleset, document: { readonly text: string; readonly bytes: number }): void {
    const { id, kind, phase } = ruleset;
    const version = Number(ruleset.version);
    rulesetTable.put(this.#sql, { id, kind, phase, version });
    versionTable.insert(this.#sql, {
      rulesetId: id,
      version,
      bytes: document.bytes,
      summary: summaryOf(ruleset),
      document: document.text,
    });
    this.#prune(id);
  }

  /** Removes the ruleset with all its versions. */
  remove(id: string): void {
    rulesetTable.remove(this.#sql, id);
    this.#sql.exec('DELETE FROM ruleset_versions WHERE ruleset_id = ?', id);
  }

  /** Oldest first. */
  listVersionSummaries(id: string): readonly RulesetSummary[] {
    return versionTable.pick(this.#sql, 'summary', 'WHERE ruleset_id = ? ORDER BY version', id);
  }

  getVersion(id: string, version: string): Ruleset | undefined {
    return this.#readDocuments('WHERE ruleset_id = ? AND version = ?', id, Number(version))[0];
  }

  removeVersion({ id, version }: Ruleset): void {
    const newest = rulesetTable.get(this.#sql, id)?.version;
    assert(String(newest) !== version, `cannot remove the current version: ${version} of ${id}`);
    versionTable.remove(this.#sql, id, Number(version));
  }

  #readDocuments(rest: string, ...values: readonly Stored[]): Ruleset[] {
    return versionTable
      .pick(this.#sql, 'document', rest, ...values)
      .map((document) => JSON.parse(document) as Ruleset);
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
