/** The values of settings for the edge: the chosen ones, and all of them. */
import { type ActingId, actingSettings } from './acting.ts';

/** How long development mode lasts, as at Cloudflare. */
export const developmentModeMs = 3 * 3_600_000;

type Values = { readonly [Id in Exclude<ActingId, 'waf'>]: (typeof actingSettings)[Id]['fallback'] };

export type SslMode = Values['ssl'];

/** `waf` is not included: it is sent with the legacy managed rules that it switches. */
export interface ZoneSettings extends Omit<Values, 'ssl'> {
  /** Undefined while the origin's own URL and `verifyTls` decide. */
  readonly ssl: SslMode | undefined;
  /** When development mode ends by itself, in milliseconds since 1970; undefined while it is off. */
  readonly developmentModeEndsAtMs: number | undefined;
}

/** Chosen values that differ from the default. */
export type ChosenSettings = Partial<ZoneSettings>;

const defaults: ZoneSettings = {
  ...(Object.fromEntries(
    Object.entries(actingSettings).flatMap(([id, { fallback }]) => (id === 'waf' ? [] : [[id, fallback]])),
  ) as unknown as Values),
  ssl: undefined,
  developmentModeEndsAtMs: undefined,
};

/** Most zones have the defaults, which are one object. */
export function fillSettings(chosen: ChosenSettings | undefined): ZoneSettings {
  return chosen === undefined ? defaults : { ...defaults, ...chosen };
}
