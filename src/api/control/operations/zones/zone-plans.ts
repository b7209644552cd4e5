/** Plans as the API shows them. There is no billing: a plan is a set of quotas and features. */
import { type Plan, plans } from '#rulesets';
import { fault, zoneCodes, type Result } from '#contract';
import type { ZoneFacts } from '../../context/directory.ts';
import { deriveId } from '../../context/secrets.ts';

const shown: Readonly<Record<Plan, { readonly id: string; readonly name: string }>> = {
  free: { id: '0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee', name: 'Free Website' },
  pro: { id: 'a577b510288e82b26486fd1df47000ec', name: 'Pro Website' },
  business: { id: '1ac039f6c29b691475c3d74fe588d1ae', name: 'Business Website' },
  enterprise: { id: '94f3b7b768b0458b56d2cac4fe5ec0f9', name: 'Enterprise Website' },
};

export function toPlanJson(plan: Plan, current: Plan): Result<'zones.getPlan'> {
  return {
    id: shown[plan].id,
    name: shown[plan].name,
    price: 0,
    currency: 'USD',
    frequency: 'monthly',
    is_subscribed: plan === current,
    can_subscribe: plan !== current,
    legacy_id: plan,
    legacy_discount: false,
    externally_managed: false,
  };
}

/** The plan as a subscription, because tools change plans through the billing API. */
export function toSubscriptionJson({ id, name, plan }: ZoneFacts): Result<'zones.getSubscription'> {
  return {
    id: deriveId(id, 'subscription'),
    state: 'Paid',
    price: 0,
    currency: 'USD',
    frequency: 'monthly',
    component_values: [],
    zone: { id, name },
    rate_plan: {
      id: plan,
      public_name: shown[plan].name,
      currency: 'USD',
      scope: 'zone',
      sets: [],
      is_contract: false,
      externally_managed: false,
    },
  };
}

export function getPlanId(plan: Plan): string {
  return shown[plan].id;
}

/** The names that Terraform uses for plans in billing. */
const billed: Readonly<Record<string, Plan>> = {
  CF_FREE: 'free',
  CF_PRO: 'pro',
  CF_PRO_20_20: 'pro',
  CF_BIZ: 'business',
  CF_ENT: 'enterprise',
};

/** Finds a plan by its id or another name; some clients send the name in the field of the id. */
export function findPlan(name: string = '', pointer?: string): Plan {
  const named = Object.hasOwn(billed, name) ? billed[name] : undefined;
  const plan = named ?? plans.find((each) => each === name || shown[each].id === name);
  if (plan !== undefined) return plan;
  throw fault(zoneCodes.zonePlanUnknown, pointer === undefined ? {} : { pointer });
}

export function isSmaller(plan: Plan, than: Plan): boolean {
  return plans.indexOf(plan) < plans.indexOf(than);
}
