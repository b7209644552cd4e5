/** Operations on packages of previous managed rules. */
import { type PreviousPackage, previousPackages } from '#managed';
import { fault, ok, pageOf, wafCodes, type wafPackageOperations } from '#api';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { arrange, compareTexts } from './arrange.ts';
import { hasProduct, requireProduct, wafPackages } from './availability.ts';
import { packageOf } from './waf-catalogue.ts';
import { PreviousStore } from '../../stores/waf-mode-store.ts';

export const packageHandlers: Handlers<ZoneContext, typeof wafPackageOperations> = {
  'wafPackages.list'(context, { query }) {
    if (!hasProduct(context, wafPackages)) return pageOf([], query);
    const { name, order, direction, match } = query;
    const found = arrange(previousPackages, {
      conditions: [name === undefined ? undefined : (each) => each.name.toLowerCase() === name.toLowerCase()],
      match,
      // Every package is active: by status they stay as they are.
      compare: order === 'name' ? (a, b) => compareTexts(a.name, b.name) : undefined,
      direction,
    });
    return pageOf(
      found.map((each) => packageJson(context, each)),
      query,
    );
  },

  'wafPackages.get'(context, { path }) {
    requireProduct(context, wafPackages);
    return ok(packageJson(context, packageOf(path)));
  },

  'wafPackages.edit'(context, { path, body }) {
    requireProduct(context, wafPackages);
    const edited = packageOf(path);
    if (edited.detectionMode !== 'anomaly') throw fault(wafCodes.wafPackageNotAnomaly);
    const store = new PreviousStore(context.sql);
    const { sensitivity, actionMode } = store.packageSettings(edited.id);
    const settings = {
      sensitivity: body.sensitivity ?? sensitivity,
      actionMode: body.action_mode ?? actionMode,
    };
    if (settings.sensitivity !== sensitivity || settings.actionMode !== actionMode) {
      const before = packageJson(context, edited);
      store.setPackage(edited.id, settings);
      context.audit({ resource: 'waf_package', id: edited.id, before, after: packageJson(context, edited) });
    }
    return ok(packageJson(context, edited));
  },
};

/** In the order of the original. */
function packageJson({ sql, zone }: ZoneContext, each: PreviousPackage): object {
  const { id, name, description, detectionMode } = each;
  const common = { id, name, description, zone_id: zone.id, detection_mode: detectionMode };
  if (detectionMode !== 'anomaly') return common;
  const { sensitivity, actionMode } = new PreviousStore(sql).packageSettings(id);
  return { ...common, sensitivity, action_mode: actionMode };
}
