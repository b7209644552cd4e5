/** Questions about the migration of a zone, and the step that ends it. */
import { entryOf, Fault, fault, migrationCodes, type migrationOperations, ok } from '#api';
import type { Handlers, Tasks, ZoneContext } from '../../context/handler.ts';
import { finishRetryMs } from '../../context/limits.ts';
import { RulesetStore } from '../../stores/ruleset-store.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { carryOver } from '../../migration/carry-over.ts';
import { finishTask } from '../../migration/entry-point-migration.ts';
import { assessTakeover, previousEnforces, rulesetEnforces } from '../../migration/enforcement.ts';
import {
  advanceMigration,
  isWatched,
  migrationRecord,
  migrationState,
} from '../../stores/migration-store.ts';
import { obstaclesOf } from '../../migration/obstacles.ts';

export const migrationHandlers: Handlers<ZoneContext, typeof migrationOperations> = {
  'migration.check'(context, { query }) {
    const state = migrationState(context.sql);
    const isDone = state === 'pending' || state === 'complete';
    const obstacles = isDone ? [entryOf(migrationCodes.migrationDone)] : obstaclesOf(context);
    // The update takes the second phase only, so a zone is not compatible with what would be refused.
    if (query.phase_two === undefined) obstacles.unshift(entryOf(migrationCodes.migrationPhaseOver));
    for (const obstacle of obstacles) context.say(obstacle);
    return ok({ compatible: obstacles.length === 0, migration_state: shownState(context) });
  },

  'migration.config'(context, { query }) {
    if (migrationState(context.sql) === 'complete') throw fault(migrationCodes.migrationDone);
    if (query.phase_two === undefined) throw fault(migrationCodes.migrationPhaseOver);
    const obstacles = obstaclesOf(context);
    // Without the previous product there is nothing to carry over; whatever else is in the way can be got out of it.
    if (context.zone.plan === 'free') throw new Fault(400, obstacles);
    const { rules, losses } = carryOver(context);
    for (const message of [...obstacles, ...losses]) context.say(message);
    return ok({ name: 'default', rules });
  },

  'migration.status'(context) {
    const { sql, zone } = context;
    const record = migrationRecord(sql);
    const entryPoint = new RulesetStore(sql).entryPoint('http_request_firewall_managed');
    return ok({
      old_waf_status: statusOf(previousEnforces(context)),
      new_waf_status: statusOf(rulesetEnforces(context, entryPoint)),
      migration_state: shownState(context),
      source: record === undefined ? 'defaults' : 'zone',
      created: toSeconds(record?.createdAtMs ?? zone.createdAtMs),
      watched: isWatched(sql),
    });
  },
};

export const migrationTasks: Tasks<ZoneContext> = {
  /**
   * The new configuration has been in force since the transaction that asked for this. If it is not any more, because
   * somebody was quick to take it away again, the zone keeps what it had until there is something in its place.
   */
  [finishTask](context) {
    if (migrationState(context.sql) !== 'pending') return;
    const entryPoint = new RulesetStore(context.sql).entryPoint('http_request_firewall_managed');
    if (assessTakeover(context, entryPoint).isWeaker) {
      context.later(finishTask, { dueMs: context.nowMs + finishRetryMs });
    } else advanceMigration(context, 'complete');
  },
};

/** `default`: the zone never had the previous product. */
function shownState({ sql, zone }: ZoneContext): string {
  return migrationRecord(sql)?.state ?? (zone.plan === 'free' ? 'default' : 'start');
}

function statusOf(isEnabled: boolean): 'enabled' | 'disabled' {
  return isEnabled ? 'enabled' : 'disabled';
}
