/** The description of a setting that has an effect. */
import type { SettingKind } from './kinds.ts';

/** The smallest plan that includes a feature; plans are those of the room `firewall`. */
export type SettingPlan = 'pro' | 'business' | 'enterprise';

export interface ActingSetting<T> {
  /** Its display name. */
  readonly title: string;
  readonly kind: SettingKind<T>;
  /** The value of a zone that has not chosen one. */
  readonly fallback: T;
  /** The default at Cloudflare, if it differs. */
  readonly fallbackThere?: T | string;
  /** Its effect. */
  readonly about: string;
  /** The plan needed to change it. */
  readonly plan?: SettingPlan;
  /** The plan needed for some of its values. */
  planOf?(value: T): SettingPlan | undefined;
  /** Values of Cloudflare that are not supported here, each with the reason. */
  readonly unserved?: Readonly<Record<string, string>>;
}
