/** Operations that report on the migration of a zone, and the task that completes it. */
import { entryOf, Fault, fault, type IdsOf, type InputOf, migrationCodes, ok, type Result } from '#contract';
import type { Handlers, Tasks, ZoneContext } from '../../context/handler.ts';
import { finishRetryMs } from '../../context/limits.ts';
import { FirewallRuleStore } from '../../stores/firewall-rules.ts';
import { pageRuleTable } from '../../stores/page-rules.ts';
import { RulesetStore } from '../../stores/rulesets.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { carryOver } from '../../migration/carry-over.ts';
import { finishTask } from '../../migration/entry-point-migration.ts';
import { assessTakeover, legacyEnforces, rulesetEnforces } from '../../migration/enforcement.ts';
import { advanceMigration, isWatched, migrationTable, readMigrationState } from '../../stores/migration.ts';
import { addIdleBypassMessages, addIdlePageRuleMessages } from '../../migration/notes.ts';
import { listObstacles, type MigrationPhase } from '../../migration/obstacles.ts';

export const migrationHandlers: Handlers<ZoneContext, Exclude<IdsOf<'migration'>, 'migration.compare'>> = {
  'migration.check'(context, { query }) {
    const state = readMigrationState(context.sql);
    const isDone = state === 'pending' || state === 'complete';
    const obstacles = isDone
      ? [entryOf(migrationCodes.migrationDone)]
      : listObstacles(context, phaseOf(query));
    for (const obstacle of obstacles) context.addMessage(obstacle);
    addIdleBypassMessages(context, new FirewallRuleStore(context.sql).listInOrder());
    addIdlePageRuleMessages(context, pageRuleTable.list(context.sql));
    return ok({ compatible: obstacles.length === 0, migration_state: describeState(context) });
  },

  'migration.config'(context, { query }) {
    if (readMigrationState(context.sql) === 'complete') throw fault(migrationCodes.migrationDone);
    const obstacles = listObstacles(context, phaseOf(query));
    // A zone without the legacy WAF has nothing to migrate; all other obstacles can be removed.
    if (context.zone.plan === 'free') throw new Fault(400, obstacles);
    const { rules, losses } = carryOver(context);
    for (const message of [...obstacles, ...losses]) context.addMessage(message);
    return ok({ name: 'default', rules });
  },

  'migration.status'(context) {
    const { sql, zone } = context;
    const record = migrationTable.get(sql);
    const entryPoint = new RulesetStore(sql).findEntryPoint('http_request_firewall_managed');
    return ok({
      old_waf_status: toStatus(legacyEnforces(context)),
      new_waf_status: toStatus(rulesetEnforces(context, entryPoint)),
      migration_state: describeState(context),
      source: record === undefined ? 'defaults' : 'zone',
      created: toSeconds(record?.createdAtMs ?? zone.createdAtMs),
      watched: isWatched(sql),
    });
  },
};

export const migrationTasks: Tasks<ZoneContext> = {
  /**
   * The new configuration has been in force since the transaction that scheduled this task. If it was removed in the
   * meantime, the zone keeps its legacy rules until something replaces them.
   */
  [finishTask](context) {
    if (readMigrationState(context.sql) !== 'pending') return;
    const entryPoint = new RulesetStore(context.sql).findEntryPoint('http_request_firewall_managed');
    if (assessTakeover(context, entryPoint).isWeaker) {
      context.schedule(finishTask, { dueMs: context.nowMs + finishRetryMs });
    } else advanceMigration(context, 'complete');
  },
};

/** A call without `phase_two=1` requests the first phase. */
function phaseOf({ phase_two: phaseTwo }: InputOf<'migration.check'>['query']): MigrationPhase {
  return phaseTwo === undefined ? 'first' : 'second';
}

/** `default` means that the zone never had the legacy WAF. */
function describeState({ sql, zone }: ZoneContext): Result<'migration.check'>['migration_state'] {
  return migrationTable.get(sql)?.state ?? (zone.plan === 'free' ? 'default' : 'start');
}

function toStatus(isEnabled: boolean): 'enabled' | 'disabled' {
  return isEnabled ? 'enabled' : 'disabled';
}
