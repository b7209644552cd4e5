import { actingSettings } from './acting.ts';
import { fixedSettings } from './fixed.ts';

/** Of all settings, in the order of responses. */
export const settingIds: readonly string[] = [
  ...Object.keys(actingSettings),
  ...fixedSettings.keys(),
].toSorted();
