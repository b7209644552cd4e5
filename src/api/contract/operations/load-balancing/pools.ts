/** Pools: origins that can replace each other. */
import { loadBalancingCodes as codes } from '../../codes/load-balancing.ts';
import { operationsOf } from '../../operation.ts';
import { poolsRead, poolsWrite, reference } from './monitors.ts';
import {
  annotate,
  array,
  choice,
  decimal,
  deleted,
  flag,
  ignored,
  integer,
  json,
  listOf,
  mapOf,
  named,
  nullable,
  number,
  object,
  optional,
  record,
  string,
  text,
  textParameter,
  timestamp,
  unread,
  whole,
} from '#shapes';

const operation = operationsOf({ api: 'load_balancing', read: poolsRead, write: poolsWrite });

const share = annotate(decimal({ min: 0, max: 1 }), {
  description: 'From 0 to 1: its share of the requests relative to the other origins.',
});
const steeringPolicy = choice(['random', 'hash', 'least_outstanding_requests', 'least_connections']);
const address = text({ min: 1, max: 253, description: 'An address or a host name.' });
const headers = named('NewOriginHeaders', object({ Host: optional(array(text({ max: 253 }), { max: 1 })) }));

const origin = named(
  'NewPoolOrigin',
  object({
    name: text({ min: 1, max: 100 }),
    address,
    port: optional(nullable(integer({ min: 0, max: 65_535 }))),
    enabled: optional(flag()),
    weight: optional(share),
    header: optional(nullable(headers)),
    virtual_network_id: optional(text({ max: 36 })),
    flatten_cname: optional(flag()),
    disabled_at: ignored(),
  }),
);
const shedding = named(
  'LoadShedding',
  object({
    default_percent: optional(decimal({ min: 0, max: 100 })),
    default_policy: optional(text({ max: 20 })),
    session_percent: optional(decimal({ min: 0, max: 100 })),
    session_policy: optional(text({ max: 20 })),
  }),
);
const origins = array(origin, { min: 1, max: 50 });
const content = {
  description: optional(text({ max: 1_024 })),
  enabled: optional(flag()),
  minimum_origins: optional(integer({ min: 0, max: 50 })),
  monitor: optional(nullable(text({ max: 32 }))),
  monitor_group: optional(nullable(text({ max: 32 }))),
  origin_steering: optional(nullable(named('OriginSteering', object({ policy: optional(steeringPolicy) })))),
  /** Ours: for this many seconds, an origin that has recovered gets a growing share. */
  slow_start: optional(integer({ min: 0, max: 3_600 })),
  check_regions: optional(nullable(array(text({ max: 10 }), { max: 20 }))),
  notification_email: optional(text({ max: 320 })),
  notification_filter: optional(nullable(unread({ type: 'object' }))),
  load_shedding: optional(nullable(shedding)),
  health_sources: optional(nullable(array(text({ max: 20 }), { max: 3 }))),
  latitude: optional(nullable(decimal({ min: -90, max: 90 }))),
  longitude: optional(nullable(decimal({ min: -180, max: 180 }))),
  networks: ignored(),
  id: ignored(),
  created_on: ignored(),
  modified_on: ignored(),
  disabled_at: ignored(),
};
const name = text({ min: 1, max: 100, pattern: /^[A-Za-z0-9_-]+$/, what: 'letters, digits, - and _' });
const body = named('NewPool', object({ name, origins, ...content }));
const edited = named('PoolEdit', object({ name: optional(name), origins: optional(origins), ...content }));

const shownOrigin = named(
  'PoolOrigin',
  record({
    name: string,
    address: string,
    port: optional(whole),
    enabled: flag(),
    weight: number,
    /** The edge always resolves names itself: the value is returned as it was sent. */
    flatten_cname: optional(flag()),
    header: optional(named('OriginHeaders', record({ Host: listOf(string) }))),
    disabled_at: optional(timestamp),
  }),
);
const result = named(
  'Pool',
  record({
    id: string,
    name: string,
    description: string,
    enabled: flag(),
    minimum_origins: whole,
    monitor: optional(string),
    origins: listOf(shownOrigin),
    origin_steering: optional(named('ShownOriginSteering', record({ policy: steeringPolicy }))),
    slow_start: optional(whole),
    load_shedding: optional(
      named(
        'ShownLoadShedding',
        record({
          default_percent: optional(number),
          default_policy: optional(string),
          session_percent: optional(number),
          session_policy: optional(string),
        }),
      ),
    ),
    notification_filter: optional(json),
    health_sources: optional(listOf(string)),
    check_regions: nullable(listOf(string)),
    notification_email: string,
    latitude: optional(number),
    longitude: optional(number),
    disabled_at: optional(timestamp),
    created_on: timestamp,
    modified_on: timestamp,
  }),
);

const originHealth = named(
  'OriginHealth',
  record({
    healthy: flag(),
    rtt: optional(string),
    failure_reason: optional(string),
    response_code: optional(whole),
    since: annotate(timestamp, { description: 'Ours: since when it has this state.' }),
  }),
);
const health = named(
  'PoolHealth',
  record({
    pool_id: string,
    pop_health: annotate(
      mapOf(named('PopHealth', record({ healthy: flag(), origins: listOf(mapOf(originHealth)) }))),
      {
        description: 'By the name of each host that checks the origins; each origin by its address.',
      },
    ),
  }),
);
const healthEvent = named(
  'PoolHealthEvent',
  record({
    timestamp,
    pop: string,
    origin: named(
      'PoolHealthEventOrigin',
      record({ name: string, address: string, healthy: flag(), failure_reason: optional(string) }),
    ),
  }),
);

const path = '/accounts/{account_id}/load_balancers/pools';
const one = `${path}/{pool_id}` as const;

export const poolOperations = {
  'pools.list': operation(`GET ${path}`, {
    summary: 'List the pools of the account',
    query: { monitor: textParameter('Only those that this monitor watches.') },
    result: listOf(result),
  }),
  'pools.create': operation(`POST ${path}`, {
    summary: 'Create a pool',
    body,
    result,
    codes: [codes.balancingInvalid, codes.balancingQuota],
  }),
  'pools.get': operation(`GET ${one}`, {
    summary: 'Get a pool',
    result,
    codes: [codes.balancingNotFound],
  }),
  'pools.update': operation(`PUT ${one}`, {
    summary: 'Replace a pool',
    body,
    result,
    codes: [codes.balancingNotFound, codes.balancingInvalid],
  }),
  'pools.edit': operation(`PATCH ${one}`, {
    summary: 'Change parts of a pool',
    body: edited,
    result,
    codes: [codes.balancingNotFound, codes.balancingInvalid],
  }),
  'pools.delete': operation(`DELETE ${one}`, {
    summary: 'Delete a pool that no load balancer uses',
    result: deleted,
    codes: [codes.balancingNotFound, codes.balancingInUse],
  }),
  'pools.health': operation(`GET ${one}/health`, {
    summary: 'Get the health of the origins of a pool, as each host last saw it',
    isPersonal: true,
    result: health,
    codes: [codes.balancingNotFound],
  }),
  'pools.events': operation(`GET ${one}/events`, {
    summary: 'List the changes of the health of a pool’s origins, the newest first',
    isOurs: true,
    isPersonal: true,
    result: listOf(healthEvent),
    codes: [codes.balancingNotFound],
  }),
  'pools.references': operation(`GET ${one}/references`, {
    summary: 'List the load balancers that use a pool',
    result: listOf(reference),
    codes: [codes.balancingNotFound],
  }),
};
