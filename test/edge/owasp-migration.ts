/**
 * A zone with the legacy OWASP package at sensitivity medium and action simulate, on its way through the migration: the
 * same attack before, during validation and after it, and the activity log of each. It works with any rules: the small
 * rule set of the project (`npm test`) and the OWASP Core Rule Set (`npm run crs`).
 */
import { deepEqual, equal, ok } from 'node:assert/strict';
import type { CoreRules } from '#seclang';
import type { ExplainedEvent } from '#events';
import { comparingId, MigratingZone, owaspId, scores, signatures } from '../control/migrating-zone.ts';
import { ServedEdge } from './served-edge.ts';

const validation = '?waf_migration=validation&phase_two=1';
const pending = '?waf_migration=pending&phase_two=1';
const entryPoint = 'PUT /rulesets/phases/http_request_firewall_managed/entrypoint';

/** A rule's contribution to a score, and the part of the request it is for. */
interface LedgerLine {
  readonly description: string;
  readonly score: number;
  readonly place: string;
}

interface LoggedScore {
  readonly event: string;
  readonly total: number;
  readonly threshold: number;
  readonly lines: readonly LedgerLine[];
}

export interface MigratedAttack {
  /** Scores 40 at least at the first level. */
  readonly path: string;
  /** One path each that scores at least 60, 40 and 25 at the first level, and less than the next of these. */
  readonly paths: { readonly 60: string; readonly 40: string; readonly 25: string };
  checkLedger(lines: readonly LedgerLine[]): void;
}

export async function checkOwaspMigration(
  rules: CoreRules | undefined,
  attack: MigratedAttack,
): Promise<void> {
  await using served = await ServedEdge.open();
  if (rules !== undefined) await served.control.control.setCoreRules(rules);
  await served.serve('enterprise');
  const zone = new MigratingZone(served.control, 'enterprise');
  await configure(zone);
  await served.inForce();
  const send = async (path: string): Promise<readonly [number, ...LoggedScore[]]> => {
    const answer = await served.send(path, { headers: { 'user-agent': 'Mozilla/5.0', accept: '*/*' } });
    const events = await served.eventsOf(answer);
    const logged = events.map(({ id }) => readScore(served, zone, id));
    return [answer.status, ...(await Promise.all(logged))];
  };

  // Before: the legacy package logs, at its own threshold.
  const [before, legacy] = await send(attack.path);
  deepEqual([before, legacy?.event, legacy?.threshold], [200, 'log waf 981176', 40]);
  attack.checkLedger(legacy!.lines);

  // The result of the migration: level 1, threshold 25, log.
  const { result: config } = await zone.config();
  const { action_parameters: parameters } = config.rules.at(-1);
  deepEqual(parameters, {
    id: owaspId,
    overrides: {
      categories: [2, 3, 4].map((level) => ({ category: `paranoia-level-${level}`, enabled: false })),
      rules: [{ id: comparingId, action: 'log', score_threshold: 25 }],
    },
  });

  // During validation both log, the new ruleset first, with the same ledger.
  equal((await zone.put(validation, config)).status, 200);
  await served.inForce();
  const [during, first, second] = await send(attack.path);
  deepEqual(
    [during, first?.event, first?.threshold, second?.event],
    [200, `log firewallManaged ${comparingId}`, 25, 'log waf 981176'],
  );
  attack.checkLedger(first!.lines);
  // The legacy package has two levels.
  ok(second!.total >= first!.total && first!.total >= 40);

  // Afterwards only the new one remains.
  equal((await zone.put(pending, config)).status, 200);
  await zone.settle();
  await served.inForce();
  await zone.expectStatus('complete', 'disabled', 'enabled');
  const [after, only, ...others] = await send(attack.path);
  deepEqual([after, only?.event, others], [200, `log firewallManaged ${comparingId}`, []]);
  deepEqual(only!.lines, first!.lines);

  await checkThresholds(served, zone, attack.paths, { categories: parameters.overrides.categories });
}

/** The three thresholds that Cloudflare names differ: each stops requests from that score on, and none below it. */
async function checkThresholds(
  served: ServedEdge,
  zone: MigratingZone,
  paths: MigratedAttack['paths'],
  overrides: object,
): Promise<void> {
  for (const [threshold, stopped] of [
    [60, [403, 200, 200]],
    [40, [403, 403, 200]],
    [25, [403, 403, 403]],
  ] as const) {
    const rules = [{ id: comparingId, action: 'block', score_threshold: threshold }];
    const action_parameters = { id: owaspId, overrides: { ...overrides, rules } };
    await zone.do(entryPoint, { rules: [{ action: 'execute', expression: 'true', action_parameters }] });
    await served.inForce();
    const statuses: number[] = [];
    for (const score of [60, 40, 25] as const) statuses.push((await served.send(paths[score])).status);
    deepEqual(statuses, stopped, `at threshold ${threshold}`);
  }
}

/** All signatures off, so that only the score decides. */
async function configure(zone: MigratingZone): Promise<void> {
  await zone.setWaf('on');
  const { result: groups } = await zone.do(`GET /firewall/waf/packages/${signatures}/groups?per_page=100`);
  for (const { id } of groups as { id: string }[])
    await zone.do(`PATCH /firewall/waf/packages/${signatures}/groups/${id}`, { mode: 'off' });
  await zone.do(`PATCH /firewall/waf/packages/${scores}`, { sensitivity: 'medium', action_mode: 'simulate' });
}

async function readScore(served: ServedEdge, zone: MigratingZone, eventId: string): Promise<LoggedScore> {
  const { result } = await served.do(`GET ${zone.path}/security/events/${eventId}/explain`);
  const { event, explanation } = result as ExplainedEvent;
  const { score } = explanation!.rules.find(({ ruleId }) => ruleId === event.ruleId)!;
  const lines = score!.contributions.map(({ description, score: added, tree }) => {
    const { where, field } = { field: tree.parts![0]!.field, where: tree.parts![0]!.matched![0]!.where };
    const place = where === undefined ? (field ?? '') : `${where.kind} ${where.name}`;
    return { description: description.replace(/^\d+: /, ''), score: added, place };
  });
  const { total, threshold } = score!;
  equal(event.metadata.find(({ key }) => key === 'waf_score')?.value, String(total));
  equal(
    lines.reduce((sum, line) => sum + line.score, 0),
    total,
  );
  return { event: `${event.action} ${event.source} ${event.ruleId}`, total, threshold, lines };
}
