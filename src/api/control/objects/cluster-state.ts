/**
 * What the hosts of a cluster have in common besides accounts and zones: the key that private keys are encrypted with, and
 * the OWASP rules that are in force. There is one object, named `state`.
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

/** Of the key that private keys are encrypted with. */
export const certificatesSecret = 'certificates';

const secretTable = new Table('secrets', { key: ['name'], columns: { name: text(), value: bytes() } });
/** A row says that the cluster holds a part of what is being imported. */
const importTable = new Table('unfinished_import', { key: [], columns: {} });
/** The digest of no rules, '', says that none are to be in force. */
const ruleTable = new Table('core_rules', { key: [], columns: { digest: text() } });
const partTable = new Table('core_rule_parts', { key: ['part'], columns: { part: whole(), text: text() } });

export const clusterStateTables = [secretTable, importTable, ruleTable, partTable].flatMap(
  ({ creation }) => creation,
);

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
    const isUnfinished = importTable.get(sql) !== undefined;
    const known = secretTable.get(sql, certificatesSecret);
    if (known === undefined) secretTable.insert(sql, { name: certificatesSecret, value: proposedKey });
    return { certificatesKey: known?.value ?? proposedKey, isUnfinished };
  }

  /** Puts rules in force if it was never said which are to be. Answers those that are; undefined if none are. */
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

  /** Of the rules that are in force; empty if none are. */
  readCoreRulesDigest(): string {
    return ruleTable.get(this.ctx.storage.sql)?.digest ?? '';
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
