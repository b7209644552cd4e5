/** The object of a zone: everything its rules are made of. Its name is the zone's id. */
import type { DurableObjectState } from '#objects';
import { fault, genericCodes } from '#v4';
import { bundleHandlers } from '../bundle/bundle-handlers.ts';
import { ControlObject } from '../control-object.ts';
import type { ControlEnvironment } from '../directory.ts';
import type { Context, Tasks, ZoneContext } from '../handler.ts';
import { edgeHandlers } from '../edge/edge-handlers.ts';
import { edgeTables } from '../edge/edge-settings.ts';
import { type ZonePart, zonePart } from '../edge/zone-configuration.ts';
import { filterHandlers } from '../filters/filter-handlers.ts';
import { filterTables } from '../filters/filter-store.ts';
import { firewallRuleHandlers } from '../firewall-rules/firewall-rule-handlers.ts';
import { firewallRuleTables } from '../firewall-rules/firewall-rule-store.ts';
import { type References, referencesInZone } from '../lists/list-references.ts';
import { migrationHandlers, migrationTasks } from '../migration/migration-handlers.ts';
import { migrationTables } from '../migration/migration-state.ts';
import { pageRuleHandlers } from '../page-rules/page-rule-handlers.ts';
import { pageRuleTables } from '../page-rules/page-rule-store.ts';
import { groupHandlers } from '../previous/group-handlers.ts';
import { overrideHandlers } from '../previous/override-handlers.ts';
import { overrideTables } from '../previous/override-store.ts';
import { packageHandlers } from '../previous/package-handlers.ts';
import { previousTables } from '../previous/previous-store.ts';
import { ruleHandlers } from '../previous/rule-handlers.ts';
import { rulesetTables } from '../rulesets/ruleset-store.ts';
import { zoneRulesetHandlers } from '../rulesets/zone-ruleset-handlers.ts';
import { settingHandlers } from '../settings/setting-handlers.ts';
import { settingTables } from '../settings/setting-store.ts';
import { eraseAllButAudit } from '../zones/erasure.ts';

/** A bundle has what its reader may read. */
export const personalZoneOperations: readonly string[] = ['bundle.export'];

export const zoneHandlers = {
  ...filterHandlers,
  ...firewallRuleHandlers,
  ...pageRuleHandlers,
  ...settingHandlers,
  ...zoneRulesetHandlers,
  ...packageHandlers,
  ...groupHandlers,
  ...ruleHandlers,
  ...overrideHandlers,
  ...migrationHandlers,
  ...bundleHandlers,
  ...edgeHandlers,
};

const tables = [
  ...filterTables,
  ...firewallRuleTables,
  ...migrationTables,
  ...pageRuleTables,
  ...previousTables,
  ...overrideTables,
  ...settingTables,
  ...rulesetTables,
  ...edgeTables,
];

export class Zone extends ControlObject<ZoneContext> {
  protected readonly handlers = zoneHandlers;
  protected readonly tasks: Tasks<ZoneContext> = { ...migrationTasks };

  constructor(ctx: DurableObjectState, env: ControlEnvironment) {
    super(ctx, env, tables);
  }

  protected contextFor(context: Context): ZoneContext {
    const zone = context.directory.zones.get(this.ctx.id.name ?? '');
    // It was deleted after the call was on its way.
    if (zone === undefined) throw fault(genericCodes.zoneNotFound);
    return { ...context, zone, transaction: (work) => this.transaction(work) };
  }

  /** What the edge needs of it; nothing once the zone was deleted. */
  configuration(): ZonePart | undefined {
    const { directory } = this.env;
    const zone = directory.zones.get(this.ctx.id.name ?? '');
    return zone && zonePart(this.ctx.storage.sql, zone, this.changeCount + directory.revision);
  }

  /** How many filters and rules of the zone name each of the lists. */
  listReferences(names: readonly string[]): References {
    return referencesInZone(this.ctx.storage.sql, names);
  }

  /** Leaves nothing but the audit log: the zone was deleted. */
  erase(): void {
    eraseAllButAudit(this.ctx.storage);
  }
}
