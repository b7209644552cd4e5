/** Operations on packages of legacy managed rules. */
import { type LegacyPackage, legacyPackages, managedRulesets, rulesetIds } from '#managed';
import { entryOf, fault, ok, pageOf, type Result, wafCodes } from '#contract';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { listUnconfirmedNotes } from '../../migration/notes.ts';
import { arrange, compareTexts } from './arrange.ts';
import { hasProduct, requireProduct, wafPackages } from './availability.ts';
import { findPackage } from './waf-catalogue.ts';
import { readPackageSettings, setPackageSettings } from '../../stores/managed-rules.ts';

export const packageHandlers: Handlers<ZoneContext, 'wafPackages'> = {
  'wafPackages.list'(context, { query }) {
    if (!hasProduct(context, wafPackages)) return pageOf([], query);
    const { name, order, direction, match } = query;
    const found = arrange(legacyPackages, {
      conditions: [name === undefined ? undefined : (each) => each.name.toLowerCase() === name.toLowerCase()],
      match,
      // All packages are active, so sorting by status changes nothing.
      compare: order === 'name' ? (a, b) => compareTexts(a.name, b.name) : undefined,
      direction,
    });
    for (const each of found) addScoreMessages(context, each);
    return pageOf(
      found.map((each) => toPackageJson(context, each)),
      query,
    );
  },

  'wafPackages.get'(context, { path }) {
    requireProduct(context, wafPackages);
    const found = findPackage(path);
    addScoreMessages(context, found);
    return ok(toPackageJson(context, found));
  },

  'wafPackages.edit'(context, { path, body }) {
    requireProduct(context, wafPackages);
    const edited = findPackage(path);
    if (edited.detectionMode !== 'anomaly') throw fault(wafCodes.wafPackageNotAnomaly);
    const { sensitivity, actionMode } = readPackageSettings(context.sql, edited.id);
    const settings = {
      sensitivity: body.sensitivity ?? sensitivity,
      actionMode: body.action_mode ?? actionMode,
    };
    if (settings.sensitivity !== sensitivity || settings.actionMode !== actionMode) {
      const before = toPackageJson(context, edited);
      setPackageSettings(context.sql, edited.id, settings);
      context.audit({
        resource: 'waf_package',
        id: edited.id,
        before,
        after: toPackageJson(context, edited),
      });
    }
    addScoreMessages(context, edited);
    return ok(toPackageJson(context, edited));
  },
};

/** Why the package does not act as its settings say. */
function addScoreMessages(context: ZoneContext, { detectionMode }: LegacyPackage): void {
  if (detectionMode !== 'anomaly') return;
  if (managedRulesets.get(rulesetIds.owasp)?.content?.state === 'not installed')
    context.addMessage(entryOf(wafCodes.wafScoresNotInstalled));
  for (const note of listUnconfirmedNotes(context)) context.addMessage(note);
}

/** The keys are in Cloudflare's order. */
function toPackageJson({ sql, zone }: ZoneContext, each: LegacyPackage): Result<'wafPackages.get'> {
  const { id, name, description, detectionMode } = each;
  const common = { id, name, description, zone_id: zone.id, detection_mode: detectionMode };
  if (detectionMode !== 'anomaly') return common;
  const { sensitivity, actionMode } = readPackageSettings(sql, id);
  return { ...common, sensitivity, action_mode: actionMode };
}
