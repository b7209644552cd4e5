import { type ActingId, actingSettings } from './acting.ts';
import { fixedSettings } from './fixed.ts';

/** All settings, in the order of responses. */
export const settingIds: readonly string[] = [
  ...Object.keys(actingSettings),
  ...fixedSettings.keys(),
].toSorted();

/** Page rules have actions with the same names and values. */
export const settingsOfPageRules = [
  'ssl',
  'security_level',
  'browser_check',
  'ip_geolocation',
  'true_client_ip_header',
] as const satisfies readonly ActingId[];
