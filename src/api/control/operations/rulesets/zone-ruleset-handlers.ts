/** Operations on the rulesets of a zone. One of them can migrate it. */
import { entryOf, fault, migrationCodes, migrationMessageCodes, rulesetCodes } from '#contract';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import type { MigrationPhase } from '../../migration/obstacles.ts';
import { entryPointHandlers } from './entry-point-handlers.ts';
import { bindHandlers } from '../bind-handlers.ts';
import { rulesetHandlers } from './ruleset-handlers.ts';
import { createZoneLevel } from './ruleset-level.ts';
import { versionHandlers } from './version-handlers.ts';

export const zoneRulesetHandlers: Handlers<ZoneContext, 'rulesets'> = {
  ...bindHandlers(
    'rulesets',
    { ...rulesetHandlers, ...entryPointHandlers, ...versionHandlers },
    (context: ZoneContext) => createZoneLevel(context),
  ),

  'rulesets.updateEntryPoint'(context, input) {
    const { waf_migration, phase_two, watch = false, dry_run = false } = input.query;
    if (waf_migration === undefined) {
      if (watch) throw fault(migrationCodes.migrationWatchMisplaced);
      if (phase_two !== undefined) context.addMessage(entryOf(migrationMessageCodes.phaseTwoAlone));
      return entryPointHandlers.updateEntryPoint(createZoneLevel(context), input);
    }
    const phase = input.path['ruleset_phase']!;
    if (phase !== 'http_request_firewall_managed') {
      throw fault(rulesetCodes.migrationElsewhere, { fill: { where: `in the phase ${phase}` } });
    }
    checkRulesSent(input.body);
    const migration = {
      wafMigration: waf_migration,
      phase: readPhase(phase_two),
      isWatched: watch,
      isDryRun: dry_run,
    };
    return entryPointHandlers.updateEntryPoint(createZoneLevel(context, { migration }), input);
  },
};

function readPhase(sent: string | undefined): MigrationPhase {
  if (sent === undefined) return 'first';
  if (sent === '1') return 'second';
  throw fault(migrationCodes.migrationPhaseInvalid, { fill: { value: sent.slice(0, 60) } });
}

/**
 * An ordinary update without `rules` keeps the rules. A migration must name its rules, so that no zone migrates for good by
 * omitting a field.
 */
function checkRulesSent(body: unknown): void {
  const isWithout = typeof body === 'object' && body !== null && !('rules' in body);
  if (isWithout) throw fault(migrationCodes.migrationRulesMissing, { pointer: '/rules' });
}
