/** The description of a setting that acts. */
import type { Kind } from './kinds.ts';

/** The smallest plan that includes something; plans are those of the room `firewall`. */
export type SettingPlan = 'pro' | 'business' | 'enterprise';

export interface ActingSetting<T> {
  /** What people call it. */
  readonly title: string;
  readonly kind: Kind<T>;
  /** The value of a zone for which none was chosen. */
  readonly fallback: T;
  /** At Cloudflare, where it differs. */
  readonly fallbackThere?: T | string;
  /** What it does. */
  readonly about: string;
  /** Needed to change it. */
  readonly plan?: SettingPlan;
  /** Needed for some of its values. */
  planOf?(value: T): SettingPlan | undefined;
  /** Values of Cloudflare that are not served here, each with the reason. */
  readonly unserved?: Readonly<Record<string, string>>;
}
