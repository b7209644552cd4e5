/**
 * The entry point PUT that migrates a zone. The handler of rulesets calls this inside its transaction, when the body has
 * been checked and the next version of the entry point is known, just before that version is stored: whatever is thrown
 * here undoes both. A dry run asks the same and must leave the state of the zone as it is.
 *
 * `validation` leaves the previous managed rules in force beside the new configuration, as often as it is sent; watched, the
 * new ones only log, so that the configuration can be looked at as it is, without a change to it. `pending`
 * stores the configuration and notes that the previous managed rules are to go; a task takes them away in a transaction of its
 * own. Whenever a process dies, a zone is therefore in one of four states that each have a generation in force, and the
 * task is still on its agenda.
 */
import { includesPlan, notEntitled, type Ruleset } from '#firewall';
import { entryOf, Fault, fault, migrationCodes, migrationMessageCodes, rulesetCodes } from '#api';
import type { ZoneContext } from '../context/handler.ts';
import { assessTakeover } from './enforcement.ts';
import { advanceMigration, migrationState, setWatched } from '../stores/migration-store.ts';
import { obstaclesOf } from './obstacles.ts';

export interface MigrationRequest {
  /** The query parameter `waf_migration`, as it was sent. */
  readonly wafMigration: string;
  /** The query parameter `phase_two`, as it was sent. */
  readonly phaseTwo: string | undefined;
  /** The new rules are to log only. */
  readonly isWatched: boolean;
  /** The entry point of http_request_firewall_managed as it is about to be stored. */
  readonly ruleset: Ruleset;
  readonly isDryRun: boolean;
}

/** What is done when the new configuration is in force: the legacy managed rules go. */
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
  checkEligible(context, step);
  if (step === 'pending') checkProtected(context, request.ruleset);
  if (request.isDryRun) return;
  if (step === 'pending') setWatched(context, false);
  advanceMigration(context, step);
  if (step === 'validation') setWatched(context, request.isWatched);
  if (step === 'pending') context.later(finishTask, { dueMs: context.nowMs });
}

/** What does no more than before is told; what does less is refused. */
function checkProtected(context: ZoneContext, ruleset: Ruleset): void {
  const { strength, previous, isWeaker, reasons } = assessTakeover(context, ruleset);
  if (isWeaker) {
    const fill = { previous: previous === 'acts' ? 'block or challenge' : 'log', reasons };
    throw fault(migrationCodes.migrationUnprotected, { fill });
  }
  if (strength === 'acts') return;
  const does = strength === 'logs' ? 'only log' : 'do nothing';
  context.say(entryOf(migrationMessageCodes.migrationWeak, { fill: { does, reasons } }));
}

function stepOf({ wafMigration, phaseTwo, isWatched }: MigrationRequest): Step {
  const step = steps.get(wafMigration);
  if (step === undefined) {
    throw fault(rulesetCodes.wafMigrationInvalid, { fill: { value: wafMigration.slice(0, 60) } });
  }
  if (isWatched && step !== 'validation') throw fault(migrationCodes.migrationWatchMisplaced);
  if (phaseTwo === '1') return step;
  const sent = phaseTwo === undefined ? '' : `: '${phaseTwo.slice(0, 60)}'`;
  throw fault(migrationCodes.migrationPhaseMissing, { fill: { sent } });
}

/** Asking again is allowed while the answer would be the same: the first may have been lost on its way. */
function checkState({ sql }: ZoneContext, step: Step): void {
  const state = migrationState(sql);
  if (state === 'complete') throw fault(migrationCodes.migrationDone);
  if (state === 'pending' && step === 'validation') throw fault(migrationCodes.migrationUnderWay);
}

function checkEligible(context: ZoneContext, step: Step): void {
  const { sql, zone } = context;
  // What was decided stays decided.
  if (migrationState(sql) === 'pending') return;
  const obstacles = obstaclesOf(context);
  if (obstacles.length > 0) throw new Fault(400, obstacles);
  if (step === 'validation' && !includesPlan(zone.plan, 'enterprise')) {
    const reason = notEntitled('validation mode', { plan: zone.plan, needed: 'enterprise' });
    throw fault(migrationCodes.migrationNotEntitled, { fill: { reason } });
  }
}
