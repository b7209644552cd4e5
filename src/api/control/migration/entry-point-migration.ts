/**
 * The PUT of the entry point that migrates a zone. The handler calls this inside its transaction, after it has checked
 * the body and built the next version of the entry point, and just before it stores that version: a fault thrown here
 * rolls back both. A dry run makes the same checks and must not change the state of the zone.
 *
 * `validation` keeps the legacy managed rules in force beside the new configuration, and can be sent repeatedly. With
 * watching, the new rules only log, so that the configuration can be observed without being edited. `pending` stores
 * the configuration and schedules the removal of the legacy managed rules; a task removes them in a transaction of its
 * own. Whenever the process dies, the zone is therefore in one of four states. Each of them has one generation of rules
 * in force, and the task is still scheduled.
 */
import { includesPlan, notEntitled, type Ruleset } from '#rulesets';
import { entryOf, Fault, fault, migrationCodes, migrationMessageCodes, rulesetCodes } from '#contract';
import type { ZoneContext } from '../context/handler.ts';
import { assessTakeover } from './enforcement.ts';
import { advanceMigration, readMigrationState, setWatched } from '../stores/migration.ts';
import { listObstacles, type MigrationPhase } from './obstacles.ts';

export interface MigrationRequest {
  /** The query parameter `waf_migration`, as sent. */
  readonly wafMigration: string;
  /** The first if the query parameter `phase_two` is absent. */
  readonly phase: MigrationPhase;
  /** Whether the new rules only log. */
  readonly isWatched: boolean;
  /** The entry point of http_request_firewall_managed that is about to be stored. */
  readonly ruleset: Ruleset;
  readonly isDryRun: boolean;
}

/** The task that runs once the new configuration is in force: it removes the legacy managed rules. */
export const finishTask = 'migration.finish';

type Step = 'validation' | 'pending';

const steps: ReadonlyMap<string, Step> = new Map([
  ['pending', 'pending'],
  ['1', 'pending'],
  ['validation', 'validation'],
  ['2', 'validation'],
]);

export function applyMigration(context: ZoneContext, request: MigrationRequest): void {
  const step = stepOf(request);
  checkState(context, step);
  checkEligible(context, step, request.phase);
  if (step === 'pending') checkProtected(context, request.ruleset);
  else addIdleValidationMessage(context, request.ruleset);
  if (request.isDryRun) return;
  if (step === 'pending') setWatched(context, false);
  advanceMigration(context, step);
  if (step === 'validation') setWatched(context, request.isWatched);
  if (step === 'pending') context.schedule(finishTask, { dueMs: context.nowMs });
}

/** Warns if the new rules have as little effect as the old ones, and refuses if they have less. */
function checkProtected(context: ZoneContext, ruleset: Ruleset): void {
  const { strength, legacyStrength, isWeaker, reasons } = assessTakeover(context, ruleset);
  if (isWeaker) {
    const fill = { previous: legacyStrength === 'acts' ? 'block or challenge' : 'log', reasons };
    throw fault(migrationCodes.migrationUnprotected, { fill });
  }
  if (strength === 'acts') return;
  const does = strength === 'logs' ? 'only log' : 'do nothing';
  context.addMessage(entryOf(migrationMessageCodes.migrationWeak, { fill: { does, reasons } }));
}

/**
 * Reports that a configuration in validation mode has no effect: it is allowed, because it can be changed at any time.
 */
export function addIdleValidationMessage(context: ZoneContext, ruleset: Ruleset): void {
  const { strength, reasons } = assessTakeover(context, ruleset);
  if (strength === 'nothing')
    context.addMessage(entryOf(migrationMessageCodes.validationIdle, { fill: { reasons } }));
}

function stepOf({ wafMigration, isWatched }: MigrationRequest): Step {
  const step = steps.get(wafMigration);
  if (step === undefined) {
    throw fault(rulesetCodes.wafMigrationInvalid, { fill: { value: wafMigration.slice(0, 60) } });
  }
  if (isWatched && step !== 'validation') throw fault(migrationCodes.migrationWatchMisplaced);
  return step;
}

/** Repeating a step is allowed while the response would be the same, because the first response may have been lost. */
function checkState({ sql }: ZoneContext, step: Step): void {
  const state = readMigrationState(sql);
  if (state === 'complete') throw fault(migrationCodes.migrationDone);
  if (state === 'pending' && step === 'validation') throw fault(migrationCodes.migrationUnderWay);
}

function checkEligible(context: ZoneContext, step: Step, phase: MigrationPhase): void {
  const { sql, zone } = context;
  // A decision to migrate is final.
  if (readMigrationState(sql) === 'pending') return;
  const obstacles = listObstacles(context, phase);
  if (obstacles.length > 0) throw new Fault(400, obstacles);
  if (step === 'validation' && !includesPlan(zone.plan, 'enterprise')) {
    const reason = notEntitled('validation mode', { plan: zone.plan, needed: 'enterprise' });
    throw fault(migrationCodes.migrationNotEntitled, { fill: { reason } });
  }
}
