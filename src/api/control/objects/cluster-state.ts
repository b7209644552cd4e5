/**
 * The state that the hosts of a cluster share besides accounts and zones: the key that encrypts private keys, and the
 * OWASP rules in force. There is one object, named `state`.
 */
import type { CoreRules } from '#seclang';
import type { DurableObjectState } from '#objects';
import type { ControlEnvironment } from '../context/environment.ts';
import { bytes, text, whole } from '../context/tables/columns.ts';
import { Table } from '../context/tables/table.ts';
import { createMissing } from '../context/tables/create-missing.ts';
import { stateRowCharactersMax } from '../context/limits.ts';
import { LocatedObject } from './located-object.ts';

/** The name of the only object. */
export const clusterStateName = 'state';

/** The name of the key that encrypts private keys. */
export const certificatesSecret = 'certificates';

const secretTable = new Table('secrets', { key: ['name'], columns: { name: text(), value: bytes() } });
/** A row means that the cluster holds only part of an import. */
const importTable = new Table('unfinished_import', { key: [], columns: {} });
/** The digest of no rules, '', means that no rules are to be in force. */
const ruleTable = new Table('core_rules', { key: [], columns: { digest: text() } });
const partTable = new Table('core_rule_parts', { key: ['part'], columns: { part: whole(), text: text() } });

export const clusterStateTables = [secretTable, importTable, ruleTable, partTable].flatMap(
  ({ creation }) => creation,
);

/** The state that a host needs before it serves requests. */
export interface ClusterStart {
  readonly certificatesKey: Uint8Array;
  /** Whether an import is unfinished: the cluster does not hold everything yet. */
  readonly isUnfinished: boolean;
}

export class ClusterState extends LocatedObject {
  constructor(ctx: DurableObjectState, env: ControlEnvironment) {
    super(ctx, env);
    createMissing(ctx.storage.sql, clusterStateTables);
  }

  /** Called by a starting host, with a key to use if there is none. */
  open(proposedKey: Uint8Array): ClusterStart {
    const { sql } = this.ctx.storage;
    const isUnfinished = importTable.get(sql) !== undefined;
    const known = secretTable.get(sql, certificatesSecret);
    if (known === undefined) secretTable.insert(sql, { name: certificatesSecret, value: proposedKey });
    return { certificatesKey: known?.value ?? proposedKey, isUnfinished };
  }

  /** Applies the rules if none were ever chosen. Returns the rules in force; undefined if there are none. */
  offerCoreRules(rules: CoreRules | undefined): CoreRules | undefined {
    const isSaid = ruleTable.get(this.ctx.storage.sql) !== undefined;
    if (!isSaid && rules !== undefined) this.setCoreRules(rules);
    return this.readCoreRules();
  }

  setCoreRules(rules: CoreRules | undefined): void {
    const { sql } = this.ctx.storage;
    sql.exec('DELETE FROM core_rule_parts');
    for (const [part, text] of splitRules(rules)) partTable.insert(sql, { part, text });
    ruleTable.put(sql, { digest: rules?.digest ?? '' });
  }

  readCoreRules(): CoreRules | undefined {
    return joinRules(partTable.pick(this.ctx.storage.sql, 'text', 'ORDER BY part'));
  }

  /** The digest of the rules in force; empty if there are none. */
  readCoreRulesDigest(): string {
    return ruleTable.get(this.ctx.storage.sql)?.digest ?? '';
  }
}

/** Rules as rows of text that fit into an object. */
export function* splitRules(rules: CoreRules | undefined): Generator<[place: number, part: string]> {
  const text = rules === undefined ? '' : JSON.stringify(rules);
  for (let start = 0; start < text.length; start += stateRowCharactersMax)
    yield [start, text.slice(start, start + stateRowCharactersMax)];
}

export function joinRules(parts: readonly string[]): CoreRules | undefined {
  const text = parts.join('');
  return text === '' ? undefined : (JSON.parse(text) as CoreRules);
}
