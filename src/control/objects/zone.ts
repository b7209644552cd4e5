/** The object of a zone: everything its rules are made of. Its name is the zone's id. */
import type { DurableObjectState } from '#objects';
import { fault, genericCodes } from '#api';
import { bundleHandlers } from '../operations/bundle/bundle-handlers.ts';
import { ControlObject } from './control-object.ts';
import type { ControlEnvironment } from '../context/directory.ts';
import type { Context, Tasks, ZoneContext } from '../context/handler.ts';
import { edgeHandlers } from '../operations/edge/edge-handlers.ts';
import { edgeTables } from '../stores/edge-settings-store.ts';
import { type ZonePart, zonePart } from '../configuration/zone-configuration.ts';
import { filterHandlers } from '../operations/filters/filter-handlers.ts';
import { filterTables } from '../stores/filter-store.ts';
import { firewallRuleHandlers } from '../operations/firewall-rules/firewall-rule-handlers.ts';
import { firewallRuleTables } from '../stores/firewall-rule-store.ts';
import { type References, referencesInZone } from '../stores/list-references.ts';
import { migrationHandlers, migrationTasks } from '../operations/migration/migration-handlers.ts';
import { migrationTables } from '../stores/migration-store.ts';
import { pageRuleHandlers } from '../operations/page-rules/page-rule-handlers.ts';
import { pageRuleTables } from '../stores/page-rule-store.ts';
import { groupHandlers } from '../operations/waf/group-handlers.ts';
import { overrideHandlers } from '../operations/waf/override-handlers.ts';
import { overrideTables } from '../stores/waf-override-store.ts';
import { packageHandlers } from '../operations/waf/package-handlers.ts';
import { previousTables } from '../stores/waf-mode-store.ts';
import { ruleHandlers } from '../operations/waf/rule-handlers.ts';
import { rulesetTables } from '../stores/ruleset-store.ts';
import { zoneRulesetHandlers } from '../operations/rulesets/zone-ruleset-handlers.ts';
import { settingHandlers } from '../operations/settings/setting-handlers.ts';
import { settingTables } from '../stores/setting-store.ts';
import { eraseAllButAudit } from '../stores/erasure.ts';

const zoneHandlers = {
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
