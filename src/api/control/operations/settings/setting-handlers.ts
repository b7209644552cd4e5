/**
 * Operations on settings of a zone. The values and effects of settings are in the room `zone-settings`. A setting that
 * cannot act here shows its actual value until another one is sent, which is stored unless a client would rely on it.
 * Such a setting is editable, because Terraform does not send one that is not, even with its current value.
 */
import { isDeepStrictEqual } from 'node:util';
import { includesPlan, notEntitled } from '#rulesets';
import type { ConfiguredOrigin } from '#firewall';
import { entryOf, type ErrorEntry, Fault, fault, ok, type Result, settingCodes } from '#contract';
import {
  type ActingId,
  type ActingSetting,
  actingSettings,
  developmentModeMs,
  fixedSettings,
  isActing,
  settingIds,
  type SslMode,
} from '#zone-settings';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { isMigrated } from '../../stores/migration.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import { readEdgeSettings } from '../../stores/edge.ts';
import { settingTable } from '../../stores/settings.ts';

export const settingHandlers: Handlers<ZoneContext, 'settings'> = {
  'settings.list'(context) {
    return ok(settingIds.map((id) => toSettingJson(context, id)));
  },

  'settings.get'(context, { path }) {
    const id = path['setting_id']!;
    if (!settingIds.includes(id)) throw fault(settingCodes.settingUnknown, { fill: { name: id } });
    return ok(toSettingJson(context, id));
  },

  'settings.edit'(context, { path, body }) {
    const change = { id: path['setting_id']!, value: body.value, pointer: '' };
    refuse(listProblems(context, [change]));
    return ok(set(context, change, { isChosen: chosenAtOnce.has(change.id) }));
  },

  'settings.editMany'(context, { body }) {
    const changes = body.items.map(({ id, value }, index) => ({ id, value, pointer: `/items/${index}` }));
    refuse(listProblems(context, changes));
    return ok(changes.map((change) => set(context, change, { isChosen: false })));
  },
};

/**
 * Setting these to their current value is a choice: a zone that gets an origin keeps it. In a list of settings it is
 * not, because the list may be one that was read earlier.
 */
const chosenAtOnce: ReadonlySet<string> = new Set<ActingId>(['waf', 'ssl']);

/** Throws a fault with all problems. */
function refuse(entries: readonly ErrorEntry[]): void {
  if (entries.length > 0) throw new Fault(400, entries);
}

interface SettingChange {
  readonly id: string;
  readonly value: unknown;
  /** A pointer to the change in the body. */
  readonly pointer: string;
}

function listProblems(context: ZoneContext, changes: readonly SettingChange[]): ErrorEntry[] {
  const problems = changes
    .map((change) => findProblem(context, change))
    .filter((problem) => problem !== undefined);
  return problems.length > 0 ? problems : listConflicts(context, changes);
}

function findProblem(context: ZoneContext, { id, value, pointer }: SettingChange): ErrorEntry | undefined {
  const fixed = fixedSettings.get(id);
  if (fixed !== undefined) {
    if (isDeepStrictEqual(value, fixed.value)) return undefined;
    if (fixed.isRefused)
      return createReadOnly(
        id,
        `it is ${JSON.stringify(fixed.value)}, because ${fixed.reason}. Leave it out`,
      );
    if (isLike(value, fixed.value)) return undefined;
    const fill = { name: id, values: `what is like ${JSON.stringify(fixed.value)}` };
    return entryOf(settingCodes.settingValueInvalid, { fill, pointer: `${pointer}/value` });
  }
  if (!isActing(id)) {
    return entryOf(settingCodes.settingUnknown, { fill: { name: id }, pointer: `${pointer}/id` });
  }
  const setting: ActingSetting<unknown> = actingSettings[id];
  const read = setting.kind.read(value, toSettingJson(context, id).value);
  if (read === undefined) {
    const { unserved = {} } = setting;
    const reason = typeof value === 'string' && Object.hasOwn(unserved, value) ? unserved[value] : undefined;
    if (reason !== undefined) return createReadOnly(id, reason, `${pointer}/value`);
    const fill = { name: id, values: setting.kind.takes };
    return entryOf(settingCodes.settingValueInvalid, { fill, pointer: `${pointer}/value` });
  }
  const reason = explainReadOnly(context, id, read);
  return reason === undefined ? undefined : createReadOnly(id, reason);
}

/** The length of a value without effect, in characters of JSON. */
const idleValueCharactersMax = 4_096;

/** Whether a value without effect is valid for the setting. */
function isLike(value: unknown, fixed: unknown): boolean {
  const isSame =
    typeof value === typeof fixed && value !== null && Array.isArray(value) === Array.isArray(fixed);
  return isSame && JSON.stringify(value).length <= idleValueCharactersMax;
}

function createReadOnly(name: string, reason: string, pointer?: string): ErrorEntry {
  const fill = { name, reason };
  return entryOf(settingCodes.settingNotEditable, { fill, ...(pointer === undefined ? {} : { pointer }) });
}

/** Why a setting cannot be changed, or not to this value; undefined if it can. */
function explainReadOnly(context: ZoneContext, id: ActingId, value?: unknown): string | undefined {
  const { plan } = context.zone;
  const setting: ActingSetting<unknown> = actingSettings[id];
  if (id === 'waf' && isMigrated(context)) return 'zone migrated to managed rulesets';
  // Setting the current value needs no plan.
  const hasValue = value !== undefined && isDeepStrictEqual(value, toSettingJson(context, id).value);
  const needed =
    id === 'waf' || !hasValue
      ? (setting.plan ?? (value === undefined ? undefined : setting.planOf?.(value)))
      : undefined;
  if (needed === undefined || includesPlan(plan, needed)) return undefined;
  const what =
    id === 'waf' ? 'managed rules' : `${id}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`;
  return notEntitled(what, { plan, needed });
}

/** Values that are valid on their own, but contradict each other. */
function listConflicts(context: ZoneContext, changes: readonly SettingChange[]): ErrorEntry[] {
  const valueOf = (id: ActingId): unknown =>
    changes.findLast((change) => change.id === id)?.value ?? toSettingJson(context, id).value;
  const about = changes.find(({ id }) => id === 'min_tls_version' || id === 'tls_1_3');
  if (about === undefined || valueOf('min_tls_version') !== '1.3' || valueOf('tls_1_3') !== 'off') return [];
  // Clients that send one setting at a time, such as Terraform's provider 5, must learn which one to send first.
  const [other, wanted] = about.id === 'tls_1_3' ? ['min_tls_version', '1.2'] : ['tls_1_3', 'on'];
  const reason = `no version of TLS would be left: min_tls_version 1.3 needs tls_1_3 on. Set ${other} to ${wanted} first, or both in one request; in Terraform, let this setting depend on that one (depends_on)`;
  return [createReadOnly(about.id, reason, `${about.pointer}/value`)];
}

/** Sets a validated value. */
function set(
  context: ZoneContext,
  { id, value }: SettingChange,
  { isChosen }: { readonly isChosen: boolean },
): Result<'settings.get'> {
  const before = toSettingJson(context, id);
  const read = isActing(id)
    ? (actingSettings[id] as ActingSetting<unknown>).kind.read(value, before.value)
    : value;
  const fixed = fixedSettings.get(id);
  if (fixed !== undefined && !isDeepStrictEqual(read, fixed.value))
    context.addMessage(entryOf(settingCodes.settingIdle, { fill: { name: id, reason: fixed.reason } }));
  const isKnown = settingTable.get(context.sql, id) !== undefined;
  if (isDeepStrictEqual(before.value, read) && (isKnown || !isChosen)) return before;
  settingTable.put(context.sql, { id, value: read, modifiedAtMs: context.nowMs });
  const after = toSettingJson(context, id);
  context.audit({ resource: 'setting', id, before, after });
  return after;
}

function toSettingJson(context: ZoneContext, id: string): Result<'settings.get'> {
  const stored = settingTable.get(context.sql, id);
  const setting = {
    id,
    value: stored?.value ?? readDefault(context, id),
    editable: !isActing(id) || explainReadOnly(context, id) === undefined,
    modified_on: stored === undefined ? null : toMicroseconds(stored.modifiedAtMs),
  };
  if (id !== 'development_mode') return setting;
  const remainingMs = stored?.value === 'on' ? stored.modifiedAtMs + developmentModeMs - context.nowMs : 0;
  return remainingMs > 0
    ? { ...setting, time_remaining: Math.ceil(remainingMs / 1_000) }
    : { ...setting, value: 'off', time_remaining: 0 };
}

function readDefault({ sql }: ZoneContext, id: string): unknown {
  if (!isActing(id)) return fixedSettings.get(id)!.value;
  return id === 'ssl' ? describeOriginSsl(readEdgeSettings(sql).origin) : actingSettings[id].fallback;
}

/** A Worker is reached within this machine, which is as secure as a certificate. */
function describeOriginSsl(origin: ConfiguredOrigin | undefined): SslMode {
  if (origin === undefined || 'worker' in origin) return actingSettings.ssl.fallback;
  if (origin.url.startsWith('http:')) return 'flexible';
  return origin.verifyTls ? 'strict' : 'full';
}
