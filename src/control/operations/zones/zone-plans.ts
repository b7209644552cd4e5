/** Plans as the API shows them. Nobody pays here: a plan is a set of quotas and features. */
import { type Plan, plans } from '#expressions';
import { fault, zoneCodes } from '#api';
import type { ZoneFacts } from '../../context/directory.ts';
import { derivedId } from '../../context/secrets.ts';

const shown: Readonly<Record<Plan, { readonly id: string; readonly name: string }>> = {
  free: { id: '0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee', name: 'Free Website' },
  pro: { id: 'a577b510288e82b26486fd1df47000ec', name: 'Pro Website' },
  business: { id: '1ac039f6c29b691475c3d74fe588d1ae', name: 'Business Website' },
  enterprise: { id: '94f3b7b768b0458b56d2cac4fe5ec0f9', name: 'Enterprise Website' },
};

export function planJson(plan: Plan, current: Plan): object {
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

/** The same in the words of billing, which is where tools change plans. */
export function subscriptionJson({ id, name, plan }: ZoneFacts): object {
  return {
    id: derivedId(id, 'subscription'),
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

export function planId(plan: Plan): string {
  return shown[plan].id;
}

/** As Terraform names them to billing. */
const billed: Readonly<Record<string, Plan>> = {
  CF_FREE: 'free',
  CF_PRO: 'pro',
  CF_PRO_20_20: 'pro',
  CF_BIZ: 'business',
  CF_ENT: 'enterprise',
};

/** By id or by one of its other names; some clients put the latter where the former belongs. */
export function planNamed(name: string = '', pointer?: string): Plan {
  const named = Object.hasOwn(billed, name) ? billed[name] : undefined;
  const plan = named ?? plans.find((each) => each === name || shown[each].id === name);
  if (plan !== undefined) return plan;
  throw fault(zoneCodes.zonePlanUnknown, pointer === undefined ? {} : { pointer });
}

export function isSmaller(plan: Plan, than: Plan): boolean {
  return plans.indexOf(plan) < plans.indexOf(than);
}
