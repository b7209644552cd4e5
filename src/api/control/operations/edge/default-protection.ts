/**
 * A zone that gets an origin is protected from then on, by the managed rules of its plan and generation. This happens
 * once, only where nothing was configured yet, and by the operations that a client would use, so that a client can see
 * and change the result.
 */
import { rulesetIds } from '#managed';
import { isMigrated } from '../../stores/migration.ts';
import { settingTable } from '../../stores/settings.ts';
import type { ZoneContext } from '../../context/handler.ts';
import { entryPointHandlers } from '../rulesets/entry-point-handlers.ts';
import { createZoneLevel } from '../rulesets/ruleset-level.ts';
import { settingHandlers } from '../settings/setting-handlers.ts';

const phase = 'http_request_firewall_managed';

/** Called when the zone gets its first origin. */
export function protectByDefault(context: ZoneContext): void {
  const level = createZoneLevel(context);
  if (level.store.findEntryPoint(phase) !== undefined) return;
  const isFree = context.zone.plan === 'free';
  if (isFree || isMigrated(context)) {
    const rule = {
      action: 'execute',
      expression: 'true',
      description: 'added when the zone got its origin',
      action_parameters: { id: isFree ? rulesetIds.free : rulesetIds.managed },
    };
    entryPointHandlers.updateEntryPoint(level, {
      path: { ruleset_phase: phase },
      query: { dry_run: undefined },
      body: { rules: [rule] },
    });
    return;
  }
  if (settingTable.get(context.sql, 'waf') !== undefined) return;
  settingHandlers['settings.edit'](context, {
    path: { setting_id: 'waf' },
    query: {},
    body: { value: 'on' },
  });
}
