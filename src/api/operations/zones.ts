/** Zones: a domain each, with its plan. */
import { genericCodes } from '../codes/generic.ts';
import { zoneCodes } from '../codes/zones.ts';
import { plans } from '#expressions';
import { operation } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import {
  named,
  choiceParameter,
  pageParameters,
  type Parameter,
  textParameter,
  choice,
  flag,
  text,
  deletedSchema,
  enumeration,
  listOf,
  momentSchema,
  type JsonSchema,
  type Shaped,
  array,
  ignored,
  object,
  optional,
} from '#shapes';

const api = 'zones';
/** The account answers, and differently to different callers. */
const ofAccount = { answeredBy: 'account', isPersonal: true } as const;
const read: readonly Permission[] = ['zoneRead', 'zoneWrite'];
const write: readonly Permission[] = ['zoneWrite'];

const zoneTypes = ['full', 'partial', 'secondary', 'internal'] as const;
export type ZoneType = (typeof zoneTypes)[number];
const zoneType = named('ZoneType', choice(zoneTypes));

const vanityNameServers = array(text({ min: 1, max: 253 }), { max: 10 });

/** There is one account: a client that leaves it out can mean no other. */
const owner = named(
  'AccountReference',
  object({
    id: text({ min: 1, max: 32 }),
    name: ignored(),
    type: ignored(),
    created_on: ignored(),
    settings: ignored(),
  }),
);

const zoneToCreate = object({
  name: text({ min: 1, max: 253, description: 'A domain, such as example.com.' }),
  account: optional(owner),
  type: optional(zoneType),
  // Terraform's provider 5 sends what a zone can be changed to with a zone that it creates.
  paused: optional(flag()),
  vanity_name_servers: optional(vanityNameServers),
  // The SDK for Go calls the account so.
  organization: optional(owner),
  // Sent by older clients, about name servers we do not have.
  jump_start: ignored(),
});

const planReference = named(
  'PlanReference',
  object({ id: optional(text({ min: 1, max: 32 })), legacy_id: optional(text({ min: 1, max: 32 })) }),
);
const zoneToEdit = object({
  paused: optional(flag()),
  type: optional(zoneType),
  vanity_name_servers: optional(vanityNameServers),
  plan: optional(planReference),
});

export type ZoneEdit = Shaped<typeof zoneToEdit>;

const planSchema = named('Plan', {
  type: 'object',
  required: ['id', 'name', 'legacy_id'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    price: { type: 'number' },
    currency: { type: 'string' },
    frequency: { type: 'string' },
    is_subscribed: { type: 'boolean' },
    can_subscribe: { type: 'boolean' },
    legacy_id: enumeration(plans),
    legacy_discount: { type: 'boolean' },
    externally_managed: { type: 'boolean' },
  },
});

const ratePlan = named(
  'RatePlanReference',
  object({
    id: text({ min: 1, max: 32 }),
    currency: ignored(),
    externally_managed: ignored(),
    is_contract: ignored(),
    public_name: ignored(),
    scope: ignored(),
    sets: ignored(),
  }),
);
const planNamed = object({
  rate_plan: ratePlan,
  frequency: ignored(),
  component_values: ignored(),
  zone: ignored(),
  id: ignored(),
  currency: ignored(),
  price: ignored(),
  state: ignored(),
  current_period_start: ignored(),
  current_period_end: ignored(),
  app: ignored(),
});

const subscription = named('NewSubscription', planNamed);

function nameAndId(name: string): JsonSchema {
  const properties = { id: { type: 'string' }, name: { type: 'string' } };
  return named(name, { type: 'object', properties });
}

const subscriptionSchema = named('Subscription', {
  type: 'object',
  required: ['id', 'rate_plan', 'zone'],
  properties: {
    id: { type: 'string' },
    state: enumeration(['Paid']),
    price: { type: 'number' },
    currency: { type: 'string' },
    frequency: { type: 'string' },
    component_values: listOf({ type: 'object' }),
    zone: nameAndId('SubscribedZone'),
    rate_plan: named('RatePlan', {
      type: 'object',
      properties: {
        id: enumeration(plans),
        public_name: { type: 'string' },
        currency: { type: 'string' },
        scope: { type: 'string' },
        sets: listOf({ type: 'string' }),
        is_contract: { type: 'boolean' },
        externally_managed: { type: 'boolean' },
      },
    }),
  },
});

const nothing: JsonSchema = { type: 'null' };
const zoneSchema = named('Zone', {
  type: 'object',
  required: ['id', 'name', 'status', 'paused', 'type', 'account', 'owner', 'plan', 'created_on'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    status: enumeration(['active']),
    paused: { type: 'boolean' },
    type: zoneType.schema,
    development_mode: { type: 'integer' },
    name_servers: listOf({ type: 'string' }),
    original_name_servers: nothing,
    original_registrar: nothing,
    original_dnshost: nothing,
    modified_on: momentSchema,
    created_on: momentSchema,
    activated_on: momentSchema,
    vanity_name_servers: listOf({ type: 'string' }),
    meta: named('ZoneMeta', {
      type: 'object',
      properties: {
        step: { type: 'integer' },
        custom_certificate_quota: { type: 'integer' },
        page_rule_quota: { type: 'integer' },
        phishing_detected: { type: 'boolean' },
      },
    }),
    owner: named('ZoneOwner', {
      type: 'object',
      properties: {
        id: { type: 'string' },
        type: enumeration(['organization']),
        name: { type: 'string' },
      },
    }),
    account: nameAndId('ZoneAccount'),
    permissions: listOf({ type: 'string' }),
    plan: planSchema,
  },
});

/** `?type=full,partial`, or the name again and again. */
const typesParameter: Parameter<readonly string[]> = {
  schema: listOf(zoneType.schema),
  read(values, problems) {
    const types = values.flatMap((value) => value.split(',')).filter((type) => type !== '');
    const isUnknown = types.some((type) => !zoneTypes.includes(type as ZoneType));
    if (isUnknown) problems.push(`must be some of ${zoneTypes.join(', ')}`);
    return types;
  },
};

export const zoneOperations = {
  'zones.list': operation('GET /zones', {
    ...ofAccount,
    api,
    summary: 'List the zones you can see',
    permissions: read,
    query: {
      name: textParameter('The name, or `contains:`, `starts_with:`, `ends_with:`, `not_equal:` and a part.'),
      status: choiceParameter(['initializing', 'pending', 'active', 'moved']),
      'account.id': textParameter(),
      'account.name': textParameter('As with `name`.'),
      type: typesParameter,
      order: choiceParameter(['name', 'status', 'account.id', 'account.name', 'plan.id']),
      direction: choiceParameter(['asc', 'desc']),
      match: choiceParameter(['all', 'any']),
      ...pageParameters({ fallback: 20, max: 50 }),
    },
    result: listOf(zoneSchema),
  }),
  'zones.create': operation('POST /zones', {
    ...ofAccount,
    api,
    summary: 'Create a zone; a token needs Zone Write on every zone',
    permissions: write,
    body: named('NewZone', zoneToCreate),
    result: zoneSchema,
    codes: [
      zoneCodes.zoneNameInvalid,
      zoneCodes.zoneExists,
      zoneCodes.zonesTooMany,
      zoneCodes.zoneNotEntitled,
      genericCodes.accountNotFound,
    ],
  }),
  'zones.get': operation('GET /zones/{zone_id}', {
    ...ofAccount,
    api,
    summary: 'Get a zone',
    permissions: read,
    result: zoneSchema,
  }),
  'zones.edit': operation('PATCH /zones/{zone_id}', {
    ...ofAccount,
    api,
    summary: 'Change one property of a zone',
    permissions: write,
    body: named('ZoneEdit', zoneToEdit),
    result: zoneSchema,
    codes: [zoneCodes.zonePropertyCount, zoneCodes.zoneNotEntitled, zoneCodes.zonePlanUnknown],
  }),
  'zones.delete': operation('DELETE /zones/{zone_id}', {
    ...ofAccount,
    api,
    summary: 'Delete a zone and everything in it; its audit log stays',
    permissions: write,
    result: deletedSchema,
  }),
  'zones.listPlans': operation('GET /zones/{zone_id}/available_plans', {
    ...ofAccount,
    api,
    summary: 'List the plans a zone can have',
    permissions: read,
    result: listOf(planSchema),
  }),
  'zones.getPlan': operation('GET /zones/{zone_id}/available_plans/{plan_id}', {
    ...ofAccount,
    api,
    summary: 'Get a plan a zone can have',
    permissions: read,
    result: planSchema,
    codes: [zoneCodes.zonePlanUnknown],
  }),
  'zones.getSubscription': operation('GET /zones/{zone_id}/subscription', {
    ...ofAccount,
    api,
    summary: 'Get the plan of a zone as a subscription',
    permissions: read,
    result: subscriptionSchema,
  }),
  'zones.subscribe': operation('POST /zones/{zone_id}/subscription', {
    ...ofAccount,
    api,
    summary: 'Give a zone a plan',
    permissions: write,
    body: subscription,
    result: subscriptionSchema,
    codes: [zoneCodes.zonePlanUnknown],
  }),
  'zones.changeSubscription': operation('PUT /zones/{zone_id}/subscription', {
    ...ofAccount,
    api,
    summary: 'Give a zone another plan',
    permissions: write,
    body: subscription,
    result: subscriptionSchema,
    codes: [zoneCodes.zonePlanUnknown],
  }),
};
