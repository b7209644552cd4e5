/** What a plan includes, and its display name. */

/** From the smallest to the largest. */
export const plans = ['free', 'pro', 'business', 'enterprise'] as const;

export type Plan = (typeof plans)[number];

const planTitles: Readonly<Record<Plan, string>> = {
  free: 'Free',
  pro: 'Pro',
  business: 'Business',
  enterprise: 'Enterprise',
};

/** The value of the field `cf.zone.plan`. */
export const planCodes: Readonly<Record<Plan, string>> = {
  free: 'FREE',
  pro: 'PRO',
  business: 'BIZ',
  enterprise: 'ENT',
};

export function includesPlan(plan: Plan, needed: Plan): boolean {
  return plans.indexOf(plan) >= plans.indexOf(needed);
}

/** Why a plan is insufficient, as the end of a sentence. */
export function notEntitled(what: string, { plan, needed }: { plan: Plan; needed: Plan }): string {
  const more = needed === 'enterprise' ? 'plan' : 'plan or a larger one';
  return `the ${planTitles[plan]} plan is not entitled to ${what}: it needs the ${planTitles[needed]} ${more}`;
}
