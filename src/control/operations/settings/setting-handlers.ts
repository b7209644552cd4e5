/**
 * Operations on settings of a zone. All of them can be read; only `waf`, the switch of the legacy managed rules, can be
 * changed.
 */
import { isDeepStrictEqual } from 'node:util';
import { includesPlan, notEntitled } from '#firewall';
import { entryOf, type ErrorEntry, Fault, fault, ok, type Result, settingCodes } from '#contract';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { isMigrated } from '../../stores/migration-store.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import { settingDefaults } from './setting-catalogue.ts';
import { settingTable, settingValues, type SettingValue } from '../../stores/setting-store.ts';

export const settingHandlers: Handlers<ZoneContext, 'settings'> = {
  'settings.list'(context) {
    return ok([...settingDefaults.keys()].map((id) => toSettingJson(context, id)));
  },

  'settings.get'(context, { path }) {
    const id = path['setting_id']!;
    if (!settingDefaults.has(id)) throw fault(settingCodes.settingUnknown, { fill: { name: id } });
    return ok(toSettingJson(context, id));
  },

  'settings.edit'(context, { path, body }) {
    const change = { id: path['setting_id']!, value: body.value };
    refuse([findProblem(context, change, '')]);
    // Choosing the default for the first time is a choice too: a zone that gets an origin keeps it.
    return ok(set(context, change, { isChosen: change.id === 'waf' }));
  },

  'settings.editMany'(context, { body }) {
    const changes = body.items.map(({ id, value }) => ({ id, value }));
    refuse(changes.map((change, index) => findProblem(context, change, `/items/${index}`)));
    return ok(changes.map((change) => set(context, change, { isChosen: false })));
  },
};

/** Throws a fault with all problems. */
function refuse(problems: readonly (ErrorEntry | undefined)[]): void {
  const entries = problems.filter((problem) => problem !== undefined);
  if (entries.length > 0) throw new Fault(400, entries);
}

interface SettingChange {
  readonly id: string;
  readonly value: unknown;
}

function findProblem(
  context: ZoneContext,
  { id, value }: SettingChange,
  pointer: string,
): ErrorEntry | undefined {
  if (!settingDefaults.has(id)) {
    return entryOf(settingCodes.settingUnknown, { fill: { name: id }, pointer: `${pointer}/id` });
  }
  if (id !== 'waf')
    return isDeepStrictEqual(value, settingDefaults.get(id)) ? undefined : createNotServed(id);
  if (!settingValues.includes(value as SettingValue)) {
    const fill = { name: id, values: settingValues.join(' or ') };
    return entryOf(settingCodes.settingValueInvalid, { fill, pointer: `${pointer}/value` });
  }
  const reason = explainReadOnly(context);
  return reason === undefined
    ? undefined
    : entryOf(settingCodes.settingNotEditable, { fill: { name: id, reason } });
}

function createNotServed(id: string): ErrorEntry {
  const value = JSON.stringify(settingDefaults.get(id));
  const reason = `it has no effect here and stays ${value}. Leave it out`;
  return entryOf(settingCodes.settingNotEditable, { fill: { name: id, reason } });
}

function explainReadOnly(context: ZoneContext): string | undefined {
  const { plan } = context.zone;
  if (isMigrated(context)) return 'zone migrated to managed rulesets';
  return includesPlan(plan, 'pro') ? undefined : notEntitled('managed rules', { plan, needed: 'pro' });
}

/** Sets a value that was checked. A list of settings may be one that was read before: its defaults are not chosen. */
function set(
  context: ZoneContext,
  { id, value }: SettingChange,
  { isChosen }: { readonly isChosen: boolean },
): Result<'settings.get'> {
  const before = toSettingJson(context, id);
  const isKnown = settingTable.get(context.sql, id) !== undefined;
  if (before.value === value && (isKnown || !isChosen)) return before;
  settingTable.put(context.sql, { id, value: value as SettingValue, modifiedAtMs: context.nowMs });
  const after = toSettingJson(context, id);
  context.audit({ resource: 'setting', id, before, after });
  return after;
}

function toSettingJson(context: ZoneContext, id: string): Result<'settings.get'> {
  if (id !== 'waf') return toFixedSettingJson(id);
  const stored = settingTable.get(context.sql, id);
  return {
    id,
    value: stored?.value ?? 'off',
    editable: explainReadOnly(context) === undefined,
    modified_on: stored === undefined ? null : toMicroseconds(stored.modifiedAtMs),
  };
}

function toFixedSettingJson(id: string): Result<'settings.get'> {
  const setting = { id, value: settingDefaults.get(id), editable: false, modified_on: null };
  return id === 'development_mode' ? { ...setting, time_remaining: 0 } : setting;
}
