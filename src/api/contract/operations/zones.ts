/** Zones: a domain each, with its plan. */
import { genericCodes } from '../codes/generic.ts';
import { zoneCodes } from '../codes/zones.ts';
import { plans } from '#rulesets';
import { operationsOf } from '../operation.ts';
import type { Permission } from '../permissions.ts';
import {
  array,
  choice,
  choiceParameter,
  deleted,
  flag,
  ignored,
  listOf,
  named,
  nothing,
  number,
  object,
  optional,
  pageParameters,
  type Parameter,
  record,
  type Shaped,
  string,
  text,
  textParameter,
  timestamp,
  whole,
} from '#shapes';

/** The account answers, and differently to different callers. */
const ofAccount = { answeredBy: 'account', isPersonal: true } as const;
const read: readonly Permission[] = ['zoneRead', 'zoneWrite'];

const operation = operationsOf({ api: 'zones', read, write: ['zoneWrite'] });

const zoneTypes = ['full', 'partial', 'secondary', 'internal'] as const;
export type ZoneType = (typeof zoneTypes)[number];
const zoneType = named('ZoneType', choice(zoneTypes));

const vanityNameServers = array(text({ min: 1, max: 253 }), { max: 10 });

/** There is one account, so a client that omits it can only mean that one. */
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
  // Terraform's provider 5 sends the editable fields of a zone when it creates one.
  paused: optional(flag()),
  vanity_name_servers: optional(vanityNameServers),
  // The name that the SDK for Go uses for the account.
  organization: optional(owner),
  // Sent by older clients, about name servers that do not exist here.
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

const planSchema = named(
  'Plan',
  record({
    id: string,
    name: string,
    price: optional(number),
    currency: optional(string),
    frequency: optional(string),
    is_subscribed: optional(flag()),
    can_subscribe: optional(flag()),
    legacy_id: choice(plans),
    legacy_discount: optional(flag()),
    externally_managed: optional(flag()),
  }),
);

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

const subscriptionSchema = named(
  'Subscription',
  record({
    id: string,
    state: optional(choice(['Paid'])),
    price: optional(number),
    currency: optional(string),
    frequency: optional(string),
    component_values: optional(listOf(record({}))),
    zone: named('SubscribedZone', record({ id: optional(string), name: optional(string) })),
    rate_plan: named(
      'RatePlan',
      record({
        id: optional(choice(plans)),
        public_name: optional(string),
        currency: optional(string),
        scope: optional(string),
        sets: optional(listOf(string)),
        is_contract: optional(flag()),
        externally_managed: optional(flag()),
      }),
    ),
  }),
);

const zoneSchema = named(
  'Zone',
  record({
    id: string,
    name: string,
    status: choice(['active']),
    paused: flag(),
    type: zoneType,
    development_mode: optional(whole),
    name_servers: optional(listOf(string)),
    original_name_servers: optional(nothing),
    original_registrar: optional(nothing),
    original_dnshost: optional(nothing),
    modified_on: timestamp,
    created_on: timestamp,
    activated_on: optional(timestamp),
    vanity_name_servers: optional(listOf(string)),
    meta: optional(
      named(
        'ZoneMeta',
        record({
          step: optional(whole),
          custom_certificate_quota: optional(whole),
          page_rule_quota: optional(whole),
          phishing_detected: optional(flag()),
        }),
      ),
    ),
    owner: named(
      'ZoneOwner',
      record({ id: optional(string), type: optional(choice(['organization'])), name: optional(string) }),
    ),
    account: named('ZoneAccount', record({ id: string, name: string })),
    permissions: optional(listOf(string)),
    plan: planSchema,
  }),
);

/** `?type=full,partial`, or a repeated parameter. */
const typesParameter: Parameter<readonly string[]> = {
  schema: listOf(zoneType).schema,
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
    summary: 'List the zones you can see',
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
    summary: 'Create a zone; a token needs Zone Write on every zone',
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
    summary: 'Get a zone',
    result: zoneSchema,
  }),
  'zones.edit': operation('PATCH /zones/{zone_id}', {
    ...ofAccount,
    summary: 'Change one property of a zone',
    body: named('ZoneEdit', zoneToEdit),
    result: zoneSchema,
    codes: [zoneCodes.zonePropertyCount, zoneCodes.zoneNotEntitled, zoneCodes.zonePlanUnknown],
  }),
  'zones.delete': operation('DELETE /zones/{zone_id}', {
    ...ofAccount,
    summary: 'Delete a zone and everything in it; its audit log stays',
    result: deleted,
  }),
  'zones.listPlans': operation('GET /zones/{zone_id}/available_plans', {
    ...ofAccount,
    summary: 'List the plans a zone can have',
    result: listOf(planSchema),
  }),
  'zones.getPlan': operation('GET /zones/{zone_id}/available_plans/{plan_id}', {
    ...ofAccount,
    summary: 'Get a plan a zone can have',
    result: planSchema,
    codes: [zoneCodes.zonePlanUnknown],
  }),
  'zones.getSubscription': operation('GET /zones/{zone_id}/subscription', {
    ...ofAccount,
    summary: 'Get the plan of a zone as a subscription',
    result: subscriptionSchema,
  }),
  'zones.subscribe': operation('POST /zones/{zone_id}/subscription', {
    ...ofAccount,
    summary: 'Give a zone a plan',
    body: subscription,
    result: subscriptionSchema,
    codes: [zoneCodes.zonePlanUnknown],
  }),
  'zones.changeSubscription': operation('PUT /zones/{zone_id}/subscription', {
    ...ofAccount,
    summary: 'Give a zone another plan',
    body: subscription,
    result: subscriptionSchema,
    codes: [zoneCodes.zonePlanUnknown],
  }),
};
