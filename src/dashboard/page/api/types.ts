/** What the API answers, as far as the page reads it. */
export type Plan = 'free' | 'pro' | 'business' | 'enterprise';

export interface Zone {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly paused: boolean;
  readonly plan: { readonly id: string; readonly name: string; readonly legacy_id: Plan };
  readonly account: { readonly id: string; readonly name: string };
  readonly created_on: string;
  readonly modified_on: string;
}

export interface Account {
  readonly id: string;
  readonly name: string;
}

export interface User {
  readonly id: string;
  readonly email: string;
}
