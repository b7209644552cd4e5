/** Operations on the rulesets of a zone. One of them can migrate it. */
import { fault, rulesetCodes, type rulesetOperations } from '#api';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { entryPointHandlers } from './entry-point-handlers.ts';
import { bindHandlers } from './level-handlers.ts';
import { rulesetHandlers } from './ruleset-handlers.ts';
import { zoneLevel } from './ruleset-level.ts';
import { versionHandlers } from './version-handlers.ts';

export const zoneRulesetHandlers: Handlers<ZoneContext, typeof rulesetOperations> = {
  ...bindHandlers(
    'rulesets',
    { ...rulesetHandlers, ...entryPointHandlers, ...versionHandlers },
    (context: ZoneContext) => zoneLevel(context),
  ),

  'rulesets.updateEntryPoint'(context, input) {
    const { waf_migration, phase_two, dry_run = false } = input.query;
    if (waf_migration === undefined) return entryPointHandlers.updateEntryPoint(zoneLevel(context), input);
    const phase = input.path['ruleset_phase']!;
    if (phase !== 'http_request_firewall_managed') {
      throw fault(rulesetCodes.migrationElsewhere, { fill: { phase } });
    }
    const migration = { wafMigration: waf_migration, phaseTwo: phase_two, isDryRun: dry_run };
    return entryPointHandlers.updateEntryPoint(zoneLevel(context, { migration }), input);
  },
};
