/**
 * The settings of a zone, each described once: the values it accepts, its default, the plan that it needs, and its
 * effect on requests, or the fixed value here and the reason for it. The contract, the handlers, the dashboard and
 * `docs/reference/zone-settings.md` are generated from these descriptions; the edge receives the chosen values.
 *
 * ```ts
 * actingSettings.min_tls_version.kind.read('1.3');                    // '1.3'
 * fixedSettings.get('http3');                                         // { value: 'off', reason: 'Node.js has no QUIC' }
 * fillSettings(zone.configuration.settings).http2;                    // 'on' unless it was turned off
 * ```
 *
 * The room imports nothing, so the page can load it.
 */
export { defaultCipherNames } from './zone-settings/ciphers.ts';
export { type ActingId, actingSettings, isActing, settingsOfPageRules } from './zone-settings/acting.ts';
export type { ActingSetting, SettingPlan } from './zone-settings/acting-setting.ts';
export {
  type ChosenSettings,
  developmentModeMs,
  fillSettings,
  type SslMode,
  type ZoneSettings,
} from './zone-settings/chosen.ts';
export { type FixedSetting, fixedSettings, settingIds } from './zone-settings/fixed.ts';
export type { StrictTransport } from './zone-settings/kinds.ts';
