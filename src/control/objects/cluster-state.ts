/**
 * What the hosts of a cluster have in common besides accounts and zones: the key that private keys are encrypted with, and
 * the OWASP rules that are in force. There is one object, named `state`.
 */
import type { CoreRules } from '#seclang';
import type { DurableObjectState } from '#objects';
import type { ControlEnvironment } from '../context/environment.ts';
import { createMissing } from '../stores/create-missing.ts';
import { stateRowCharactersMax } from '../context/limits.ts';
import { LocatedObject } from './located-object.ts';

/** The name of the only object. */
export const clusterStateName = 'state';

/** Of the key that private keys are encrypted with. */
export const certificatesSecret = 'certificates';

export const clusterStateTables = [
  'CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value BLOB NOT NULL)',
  /** A row says that the cluster holds a part of what is being imported. */
  'CREATE TABLE IF NOT EXISTS unfinished_import (one INTEGER PRIMARY KEY CHECK (one = 1))',
  /** An empty table with a digest of '' says that none are to be in force. */
  'CREATE TABLE IF NOT EXISTS core_rules (one INTEGER PRIMARY KEY CHECK (one = 1), digest TEXT NOT NULL)',
  'CREATE TABLE IF NOT EXISTS core_rule_parts (part INTEGER PRIMARY KEY, text TEXT NOT NULL)',
];

/** What a host needs to know before it serves anything. */
export interface ClusterStart {
  readonly certificatesKey: Uint8Array;
  /** Whether an import has not ended: the cluster does not hold everything yet. */
  readonly isUnfinished: boolean;
}

export class ClusterState extends LocatedObject {
  constructor(ctx: DurableObjectState, env: ControlEnvironment) {
    super(ctx, env);
    createMissing(ctx.storage.sql, clusterStateTables);
  }

  /** To be called by a host that starts, with a key in case that there is none. */
  open(proposedKey: Uint8Array): ClusterStart {
    const { sql } = this.ctx.storage;
    const isUnfinished = sql.exec('SELECT 1 FROM unfinished_import').toArray().length > 0;
    const value = proposedKey.slice().buffer;
    sql.exec('INSERT INTO secrets VALUES (?, ?) ON CONFLICT (name) DO NOTHING', certificatesSecret, value);
    const [row] = sql.exec<{ value: ArrayBuffer }>(
      'SELECT value FROM secrets WHERE name = ?',
      certificatesSecret,
    );
    return { certificatesKey: new Uint8Array(row!.value), isUnfinished };
  }

  /** Puts rules in force if it was never said which are to be. Answers those that are; undefined if none are. */
  offerCoreRules(rules: CoreRules | undefined): CoreRules | undefined {
    const [row] = this.ctx.storage.sql.exec('SELECT 1 FROM core_rules');
    if (row === undefined && rules !== undefined) this.setCoreRules(rules);
    return this.readCoreRules();
  }

  setCoreRules(rules: CoreRules | undefined): void {
    const { sql } = this.ctx.storage;
    sql.exec('DELETE FROM core_rule_parts');
    for (const [place, part] of splitRules(rules))
      sql.exec('INSERT INTO core_rule_parts VALUES (?, ?)', place, part);
    sql.exec('INSERT OR REPLACE INTO core_rules VALUES (1, ?)', rules?.digest ?? '');
  }

  readCoreRules(): CoreRules | undefined {
    const rows = this.ctx.storage.sql.exec<{ text: string }>(
      'SELECT text FROM core_rule_parts ORDER BY part',
    );
    return joinRules(Array.from(rows, ({ text }) => text));
  }

  /** Of the rules that are in force; empty if none are. */
  readCoreRulesDigest(): string {
    const [row] = this.ctx.storage.sql.exec<{ digest: string }>('SELECT digest FROM core_rules');
    return row?.digest ?? '';
  }
}

/** Rules as rows of text that an object takes. */
export function* splitRules(rules: CoreRules | undefined): Generator<[place: number, part: string]> {
  const text = rules === undefined ? '' : JSON.stringify(rules);
  for (let start = 0; start < text.length; start += stateRowCharactersMax)
    yield [start, text.slice(start, start + stateRowCharactersMax)];
}

export function joinRules(parts: readonly string[]): CoreRules | undefined {
  const text = parts.join('');
  return text === '' ? undefined : (JSON.parse(text) as CoreRules);
}
