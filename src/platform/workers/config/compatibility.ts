/**
 * The effects of `compatibility_date` and `compatibility_flags` here: whether `deleteAll()` deletes the alarm, which of
 * Node's modules can be imported, how sockets close, compress and deliver binary messages, how messages to queues are
 * encoded, the error of a failed workflow, which fields plain results have, and which properties of errors a caller
 * sees. Every configured flag that is not supported is reported, so that no program relies on it unknowingly.
 */
import { didYouMean } from '#text';
import type { QueueContentType } from '#bindings';
import type { ErrorSettings } from '#rpc';
import { newestSocketSettings, type SocketSettings } from '#sockets';
import { absentFlags, fulfilledFlags, refusedFlags } from './compatibility-flags.ts';
import type { Section } from './section.ts';

export interface Compatibility {
  /** Whether `storage.deleteAll()` also deletes the alarm. */
  readonly deleteAllDeletesAlarm: boolean;
  readonly sockets: SocketSettings;
  readonly node: NodeCompatibility;
  /** Whether `process.env` shows the variables of the Worker. */
  readonly showsVarsInProcess: boolean;
  /** For messages to queues without a content type. */
  readonly queueContentType: QueueContentType;
  /** Whether plain results omit fields without a value. Versions of earlier builds lack it. */
  readonly leavesOutEmptyFields?: boolean;
  /** Whether `queue` and `scheduled` of a service binding call the handlers of those names. */
  readonly hasExtraHandlers?: boolean;
  /** Whether a workflow fails with the message of a `NonRetryableError`. Versions of earlier builds lack it. */
  readonly keepsFatalMessages?: boolean;
  /** How callers see the errors that the code throws. Versions of earlier builds lack it. */
  readonly errors?: ErrorSettings;
  /** As `Cloudflare.compatibilityFlags` shows them. Versions of earlier builds lack it. */
  readonly flags?: Readonly<Record<string, boolean>>;
}

/**
 * Which of Node's modules a Worker may import: `v2` by any name, `v1` by names with the prefix `node:`, `als` only
 * `node:async_hooks`, `off` none.
 */
export type NodeCompatibility = 'v2' | 'v1' | 'als' | 'off';

/** An optional change for Workers: enabled from a date on, or by flag; an experimental one by flag only. */
type Change = readonly [enable: string, disable?: string, since?: string];

const changes = {
  deleteAllDeletesAlarm: ['delete_all_deletes_alarm', 'delete_all_preserves_alarm', '2026-02-24'],
  // Enabled from this date on; before, the flag enables it.
  nodeModules: ['nodejs_compat', 'no_nodejs_compat', '2026-08-04'],
  // Requires the one before.
  nodeModulesByAnyName: ['nodejs_compat_v2', 'no_nodejs_compat_v2', '2024-09-23'],
  varsInProcess: [
    'nodejs_compat_populate_process_env',
    'nodejs_compat_do_not_populate_process_env',
    '2025-04-01',
  ],
  jsonInQueues: ['queues_json_messages', 'no_queues_json_messages', '2024-03-18'],
  fatalMessages: [
    'workflows_preserve_non_retryable_error_message',
    'workflows_replace_non_retryable_error_message',
    '2026-05-14',
  ],
  errorProperties: ['enhanced_error_serialization', 'legacy_error_serialization', '2026-04-21'],
  emptyFields: ['enable_fast_jsg_struct', 'disable_fast_jsg_struct', '2025-12-03'],
  extraHandlers: ['service_binding_extra_handlers'],
  repliesToClose: ['web_socket_auto_reply_to_close', 'web_socket_manual_reply_to_close', '2026-04-07'],
  limitsCloseReason: [
    'websocket_close_reason_byte_limit',
    'no_websocket_close_reason_byte_limit',
    '2026-03-03',
  ],
  blobMessages: ['websocket_standard_binary_type', 'no_websocket_standard_binary_type', '2026-03-17'],
  compresses: ['web_socket_compression', 'no_web_socket_compression', '2023-08-15'],
} as const satisfies Readonly<Record<string, Change>>;

type IsOn = (change: keyof typeof changes) => boolean;

const newestDate = '9999-12-31';

type NodeChoices = Pick<Compatibility, 'node' | 'showsVarsInProcess'>;

function chooseNode(isOn: IsOn, flags: ReadonlySet<string>): NodeChoices {
  if (!isOn('nodeModules') && !flags.has(changes.nodeModulesByAnyName[0])) {
    return { node: flags.has('nodejs_als') ? 'als' : 'off', showsVarsInProcess: false };
  }
  return { node: isOn('nodeModulesByAnyName') ? 'v2' : 'v1', showsVarsInProcess: isOn('varsInProcess') };
}

function choose(isOn: IsOn): Omit<Compatibility, keyof NodeChoices> {
  return {
    flags: Object.fromEntries([
      ...Object.entries(changes).map(([name, [enable]]) => [enable, isOn(name as keyof typeof changes)]),
      ...Array.from(fulfilledFlags, (flag) => [flag, true]),
    ]) as Record<string, boolean>,
    deleteAllDeletesAlarm: isOn('deleteAllDeletesAlarm'),
    queueContentType: isOn('jsonInQueues') ? 'json' : 'v8',
    leavesOutEmptyFields: !isOn('emptyFields'),
    hasExtraHandlers: isOn('extraHandlers'),
    keepsFatalMessages: isOn('fatalMessages'),
    errors: { keepsProperties: isOn('errorProperties') },
    sockets: {
      repliesToClose: isOn('repliesToClose'),
      limitsCloseReason: isOn('limitsCloseReason'),
      binaryType: isOn('blobMessages') ? 'blob' : 'arraybuffer',
      compresses: isOn('compresses'),
    },
  };
}

/** A bare module has no compatibility date: its sockets follow the standard. */
export const bareCompatibility: Compatibility = {
  deleteAllDeletesAlarm: false,
  queueContentType: 'json',
  sockets: newestSocketSettings,
  node: 'v2',
  showsVarsInProcess: true,
};

/** Reads both keys; keys without effect go to `warnings`. */
export function readCompatibility(config: Section, file: string, warnings: string[]): Compatibility {
  const date = compatibilityDate(config);
  const flags = new Set(config.strings('compatibility_flags'));
  const warning = (text: string): void => void warnings.push(`${file}: compatibility_flags: ${text}`);
  const absent = [...flags].filter((flag) => absentFlags.has(flag));
  if (absent.length === 1) warning(`${absent[0]} has no effect: nothing here depends on it`);
  if (absent.length > 1) warning(`${absent.join(', ')} have no effect: nothing here depends on them`);
  for (const flag of flags) {
    const instead = refusedFlags.get(flag);
    if (instead !== undefined) {
      warning(`${flag} is not honoured: Gatehouse behaves as with ${instead}, whatever the flags say`);
    } else if (!knownFlags.has(flag)) {
      warning(`the flag ${flag} is not known and ignored${didYouMean(flag, knownFlags)}`);
    }
  }
  const isOn: IsOn = (name) => isChosen(changes[name], date, flags, config);
  // Without a date, code that needs Node's modules runs: Wrangler then uses the current date.
  const isOnToday: IsOn = (name) => isChosen(changes[name], date ?? newestDate, flags, config);
  return { ...choose(isOn), ...chooseNode(isOnToday, flags) };
}

const knownFlags: ReadonlySet<string> = new Set([
  ...Object.values(changes).flatMap(([enable, disable]: Change) =>
    disable === undefined ? [enable] : [enable, disable],
  ),
  ...fulfilledFlags,
  ...refusedFlags.keys(),
  ...absentFlags,
]);

function isChosen(
  [enable, disable, since]: Change,
  date: string | undefined,
  flags: ReadonlySet<string>,
  config: Section,
): boolean {
  const isOff = disable !== undefined && flags.has(disable);
  if (flags.has(enable) && isOff) {
    throw config.error(`compatibility_flags has both ${enable} and ${disable}: leave one of them out`);
  }
  if (flags.has(enable)) return true;
  return !isOff && since !== undefined && date !== undefined && date >= since;
}

function compatibilityDate(config: Section): string | undefined {
  const value = config.value('compatibility_date');
  // TOML has a date type.
  const text =
    value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString().slice(0, 10) : value;
  if (text === undefined) return undefined;
  if (typeof text !== 'string' || !isDate(text)) {
    throw config.error(
      `compatibility_date must be a date such as "2026-02-24": ${JSON.stringify(value) ?? String(value)}`,
    );
  }
  return text;
}

function isDate(text: string): boolean {
  const time = Date.parse(text);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  );
}
