/**
 * Export and import of a zone as one document. An import is one transaction: each part passes the checks of its own
 * operation, and the first one that fails rolls back the whole import. A bundle contains the migration state of its
 * zone, but an import never sets it.
 */
import { bundleCodes, entryOf, type ErrorEntry, Fault, fault, ok } from '#contract';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { isMigrated } from '../../stores/migration.ts';
import { type Bundle, mayWrite, partNames } from './bundle-part.ts';
import { importEdge, importUrlNormalization } from './import-edge.ts';
import { importFirewall } from './import-firewall.ts';
import { importPageRules } from './import-page-rules.ts';
import { importZoneSettings } from './bundled-settings.ts';
import { importLegacyWaf, importSettings } from './import-waf.ts';
import { importSecurityTools } from './security-tools.ts';
import { importRulesets } from './import-rulesets.ts';
import { ImportRun, type Mode } from './import-run.ts';
import { wasMadeAfterMigration } from './managed-guard.ts';
import { renameZone } from './rename-zone.ts';
import { buildZoneBundle } from './zone-bundle.ts';

export const bundleHandlers: Handlers<ZoneContext, 'bundle'> = {
  'bundle.export'(context) {
    return ok(buildZoneBundle(context));
  },

  'bundle.import'(context, { query, body }) {
    const { mode = 'merge', dry_run = false } = query;
    checkPermitted(context, body);
    checkLists(context, body);
    const changes = dry_run
      ? rehearse(context, (silent) => importBundle(silent, mode, body))
      : importBundle(context, mode, body);
    return ok({ mode, dry_run, changes });
  },
};

type Changes = ImportRun['changes'];

function importBundle(context: ZoneContext, mode: Mode, given: Bundle): Changes {
  const run = new ImportRun(context, mode);
  const bundle = renameForZone(context, given);
  const { settings, edge, url_normalization, zone_settings } = bundle;
  const { page_rules, security_tools, previous, firewall, rulesets } = bundle;
  if (!isMigrated(context)) {
    if (settings !== undefined) importSettings(run, settings);
    if (previous !== undefined) importLegacyWaf(run, previous);
  } else if (settings !== undefined || previous !== undefined) {
    context.addMessage(entryOf(bundleCodes.bundlePreviousSkipped));
  }
  if (edge !== undefined) importEdge(run, edge);
  if (url_normalization !== undefined) importUrlNormalization(run, url_normalization);
  if (zone_settings !== undefined) importZoneSettings(run, zone_settings);
  if (page_rules !== undefined) importPageRules(run, page_rules);
  if (security_tools !== undefined) importSecurityTools(run, security_tools);
  if (firewall !== undefined) importFirewall(run, firewall);
  if (rulesets !== undefined) importRulesets(run, rulesets, wasMadeAfterMigration(bundle));
  return run.changes;
}

/** Rolls back what the work wrote, including its entries in the audit log. */
function rehearse(context: ZoneContext, work: (silent: ZoneContext) => Changes): Changes {
  let changes: Changes | undefined;
  const end = new Error('the rehearsal is over');
  try {
    context.transaction(() => {
      changes = work({ ...context, audit: () => {}, schedule: () => {} });
      throw end;
    });
  } catch (error) {
    if (error !== end) throw error;
  }
  return changes!;
}

function checkPermitted(context: ZoneContext, bundle: Bundle): void {
  const part = partNames.find((each) => bundle[each] !== undefined && !mayWrite(context, each));
  if (part === undefined) return;
  throw fault(bundleCodes.bundleNotPermitted, { pointer: `/${part}`, fill: { part } });
}

function checkLists({ directory }: ZoneContext, { lists = [] }: Bundle): void {
  const entries = lists.flatMap(({ name, kind }, index): ErrorEntry[] => {
    if (directory.lists.get(name)?.kind === kind) return [];
    const fill = { list: name, kind };
    return [entryOf(bundleCodes.bundleListMissing, { pointer: `/lists/${index}`, fill })];
  });
  if (entries.length > 0) throw new Fault(bundleCodes.bundleListMissing.status, entries);
}

function renameForZone({ zone, addMessage }: ZoneContext, bundle: Bundle): Bundle {
  const { name: from } = bundle.zone;
  if (from === zone.name) return bundle;
  addMessage(entryOf(bundleCodes.bundleRenamed, { fill: { from, to: zone.name } }));
  return renameZone(bundle, zone.name);
}
