/**
 * Rules whose evaluation did not finish, so that a thread or a process of the edge had to be terminated. After the
 * second time, the rule is disabled in the zone until it is changed: rows apply to one state of a rule, so a row about
 * an earlier state has no effect.
 */
import { hash } from 'node:crypto';
import { type OutOfForce, type Source, sourceOfPhase } from '#firewall';
import { readEvaluatedEntryPoints } from './evaluated-rulesets.ts';
import { text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { Table } from '../context/tables/table.ts';
import { toMicroseconds } from '../context/timestamps.ts';
import { FirewallRuleStore } from '../stores/firewall-rules.ts';
import { legacyRuleTable } from '../stores/managed-rules.ts';

/** The first time may be the machine's fault. */
const endsMax = 2;

/** So that a zone with many rules cannot fill its database; the oldest rows are deleted. */
const rowsMax = 100;

export const ruleEndTable = new Table('rule_ends', {
  key: ['rule'],
  columns: { rule: text(), state: text(), ends: whole(), since: text(), reason: text() },
});

export interface RuleEnd extends OutOfForce {
  readonly ends: number;
  readonly reason: string;
  /** Whether the rule belongs to the zone; rules of the account or of the catalogue do not. */
  readonly isOwn: boolean;
}

/** Counts one more. Returns the rule if this has just disabled it. */
export function noteRuleEnd(
  sql: Sql,
  { rule, reason, nowMs }: { readonly rule: string; readonly reason: string; readonly nowMs: number },
): RuleEnd | undefined {
  const { state, isOwn } = describeRule(sql, rule);
  const before = ruleEndTable.get(sql, rule);
  const ends = before?.state === state ? before.ends + 1 : 1;
  // The edge may report it again before it knows that the rule is disabled.
  if (ends > endsMax) return undefined;
  const since = toMicroseconds(nowMs);
  ruleEndTable.put(sql, { rule, state, ends, since, reason });
  sql.exec(
    'DELETE FROM rule_ends WHERE rule NOT IN (SELECT rule FROM rule_ends ORDER BY since DESC LIMIT ?)',
    rowsMax,
  );
  return ends < endsMax ? undefined : { rule, since, ends, reason, isOwn };
}

/** The rules that are disabled in the zone. */
export function listOutOfForce(sql: Sql): readonly RuleEnd[] {
  const rows = ruleEndTable.select(sql, 'WHERE ends >= ? ORDER BY since, rule', endsMax);
  return rows.flatMap(({ state, rule, since, ends, reason }) => {
    const now = describeRule(sql, rule);
    return now.state === state ? [{ rule, since, ends, reason, isOwn: now.isOwn }] : [];
  });
}

/** The source in events of the rule. */
export function findRuleSource(sql: Sql, rule: string): Source {
  return describeRule(sql, rule).source;
}

interface RuleState {
  /** Changes with each change of the rule. */
  readonly state: string;
  readonly source: Source;
  readonly isOwn: boolean;
}

function describeRule(sql: Sql, rule: string): RuleState {
  const firewallRule = new FirewallRuleStore(sql).get(rule);
  if (firewallRule !== undefined)
    return {
      state: hash('sha256', JSON.stringify(firewallRule)),
      source: 'firewallrules',
      isOwn: true,
    };
  const entryPoints = readEvaluatedEntryPoints(sql);
  for (const { id, phase, rules } of entryPoints) {
    const found = rules.find((each) => each.id === rule);
    if (found === undefined) continue;
    return {
      state: `${id} ${found.version}`,
      source: sourceOfPhase(phase),
      isOwn: true,
    };
  }
  // The zone's settings of managed rules: their overrides, and the modes of legacy rules.
  const managed = entryPoints.filter(({ phase }) => phase === 'http_request_firewall_managed');
  const mode = legacyRuleTable.get(sql, rule)?.mode ?? 'default';
  return {
    state: `${mode} ${managed.map(({ id, version }) => `${id} ${version}`).join(' ')}`,
    source: /^[0-9a-f]{32}$/.test(rule) ? 'firewallManaged' : 'waf',
    isOwn: false,
  };
}
