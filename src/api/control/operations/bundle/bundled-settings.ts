/**
 * The settings of a zone in a bundle: those that the zone has set, by id. `waf` is in another part, with the legacy
 * managed rules. An import that merges only sets what the zone has never set itself; one that replaces resets the
 * others.
 */
import { isDeepStrictEqual } from 'node:util';
import { bundleCodes, entryOf } from '#contract';
import type { Sql } from '../../context/tables/sql.ts';
import { settingTable } from '../../stores/settings.ts';
import { settingHandlers } from '../settings/setting-handlers.ts';
import type { Bundle } from './bundle-part.ts';
import { type ImportRun, runWithin } from './import-run.ts';

/** Development mode ends by itself, so it is not part of a configuration. */
const leftOut: ReadonlySet<string> = new Set(['waf', 'development_mode']);

export function readBundledSettings(sql: Sql): Readonly<Record<string, unknown>> {
  const rows = settingTable.list(sql).filter(({ id }) => !leftOut.has(id));
  return Object.fromEntries(rows.map(({ id, value }) => [id, value]));
}

export function importZoneSettings(run: ImportRun, given: NonNullable<Bundle['zone_settings']>): void {
  const { context, mode } = run;
  const own = readBundledSettings(context.sql);
  const tally = run.getTally('zone_settings');
  const items: { readonly id: string; readonly value: unknown }[] = [];
  for (const [id, value] of Object.entries(given)) {
    const isSet = Object.hasOwn(own, id);
    if (isSet && isDeepStrictEqual(own[id], value)) tally.kept++;
    else if (isSet && mode === 'merge') {
      tally.kept++;
      context.addMessage(entryOf(bundleCodes.bundleKept, { fill: { what: `the setting ${id}` } }));
    } else {
      items.push({ id, value });
      tally[isSet ? 'changed' : 'added']++;
    }
  }
  const removed = mode === 'replace' ? Object.keys(own).filter((id) => !Object.hasOwn(given, id)) : [];
  for (const id of removed) {
    settingTable.remove(context.sql, id);
    context.audit({ resource: 'setting', id, before: { id, value: own[id] }, after: undefined });
  }
  tally.removed += removed.length;
  if (items.length > 0)
    runWithin('/zone_settings', () =>
      settingHandlers['settings.editMany'](context, { path: {}, query: {}, body: { items } }),
    );
}
