/** The zone settings with an effect, as texts of a form. `waf` has a separate card. */
import type { Result, Sent } from '#client';
import {
  type ActingId,
  type ActingSetting,
  actingSettings,
  isActing,
  type StrictTransport,
} from '#zone-settings';

export type ZoneSetting = Result<'settings.list'>[number];
export type ShownId = Exclude<ActingId, 'waf'>;
export type SettingsDraft = Readonly<Record<ShownId, string>>;

export const shownIds = Object.keys(actingSettings).filter((id): id is ShownId => id !== 'waf');

export function describe(id: ShownId): ActingSetting<unknown> {
  return actingSettings[id];
}

/** Without values that change by themselves: the duration of development mode. */
export function pickValues(settings: readonly ZoneSetting[]): unknown {
  return settings.flatMap(({ id, value }) => (isActing(id) ? [[id, value]] : []));
}

export function toDraft(settings: readonly ZoneSetting[]): SettingsDraft {
  const values = new Map(settings.map(({ id, value }) => [id, value]));
  return Object.fromEntries(shownIds.map((id) => [id, toText(id, values.get(id))])) as SettingsDraft;
}

function toText(id: ShownId, value: unknown): string {
  if (id === 'security_header') {
    const { enabled, max_age } = (value as StrictTransport).strict_transport_security;
    return enabled ? String(max_age) : '';
  }
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** The changes of the draft. An invalid value is sent unchanged, so that the server reports the valid ones. */
export function listChanges(
  draft: SettingsDraft,
  saved: readonly ZoneSetting[],
): Sent<'settings.editMany'>['items'] {
  const before = toDraft(saved);
  return shownIds
    .filter((id) => draft[id] !== before[id])
    .map((id) => ({ id, value: fromText(id, draft[id], saved.find((each) => each.id === id)?.value) }));
}

function fromText(id: ShownId, text: string, saved: unknown): unknown {
  if (id === 'ciphers') return text.split(/[\s,:]+/).filter((name) => name !== '');
  if (id === 'security_header') {
    const header = (saved as StrictTransport).strict_transport_security;
    const enabled = text.trim() !== '';
    return { strict_transport_security: { ...header, enabled, max_age: enabled ? Number(text) : 0 } };
  }
  return describe(id).kind.choices?.find((choice) => String(choice) === text) ?? text;
}
