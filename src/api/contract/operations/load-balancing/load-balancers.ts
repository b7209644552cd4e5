/** Load balancers: names of a zone whose requests go to pools of origins. */
import { loadBalancingCodes as codes } from '../../codes/load-balancing.ts';
import { operationsOf } from '../../operation.ts';
import {
  array,
  choice,
  decimal,
  deleted,
  flag,
  ignored,
  integer,
  listOf,
  map,
  mapOf,
  named,
  nullable,
  number,
  object,
  optional,
  record,
  string,
  text,
  timestamp,
  unread,
  whole,
} from '#shapes';

const operation = operationsOf({
  api: 'load_balancing',
  answeredBy: 'account',
  read: ['loadBalancersRead', 'loadBalancersWrite'],
  write: ['loadBalancersWrite'],
});

/** Cloudflare's policies; those that need data centres are stored, and pools are tried in their order. */
const steeringPolicy = choice([
  'off',
  'random',
  'least_outstanding_requests',
  'least_connections',
  'geo',
  'dynamic_latency',
  'proximity',
  '',
]);
const affinity = choice(['none', 'cookie', 'ip_cookie', 'header', '']);
const attributes = named(
  'SessionAffinityAttributes',
  object({
    samesite: optional(choice(['Auto', 'Lax', 'None', 'Strict', ''])),
    secure: optional(choice(['Auto', 'Always', 'Never', ''])),
    drain_duration: optional(integer({ min: 0, max: 3_600 })),
    zero_downtime_failover: optional(choice(['none', 'temporary', 'sticky', ''])),
    headers: optional(nullable(array(text({ min: 1, max: 100 }), { max: 5 }))),
    require_all_headers: optional(flag()),
  }),
);
const weight = decimal({ min: 0, max: 1 });
const randomSteering = named(
  'RandomSteering',
  object({ default_weight: optional(weight), pool_weights: optional(nullable(map(weight, { max: 50 }))) }),
);
const poolId = text({ min: 1, max: 32 });
const strategy = named(
  'LocationStrategy',
  object({ mode: optional(text({ max: 40 })), prefer_ecs: optional(text({ max: 40 })) }),
);
const byPlace = optional(nullable(map(array(poolId, { max: 50 }), { max: 300 })));
const required = {
  name: text({
    min: 1,
    max: 253,
    description: 'A host name of the zone, optionally with a star at the left.',
  }),
  default_pools: array(poolId, { min: 1, max: 50 }),
  fallback_pool: poolId,
};
const content = {
  description: optional(text({ max: 1_024 })),
  enabled: optional(flag()),
  proxied: optional(flag()),
  ttl: optional(integer({ min: 0, max: 86_400 })),
  steering_policy: optional(steeringPolicy),
  random_steering: optional(nullable(randomSteering)),
  session_affinity: optional(affinity),
  session_affinity_ttl: optional(nullable(integer({ min: 0, max: 604_800 }))),
  session_affinity_attributes: optional(nullable(attributes)),
  adaptive_routing: optional(
    nullable(named('AdaptiveRouting', object({ failover_across_pools: optional(flag()) }))),
  ),
  location_strategy: optional(nullable(strategy)),
  rules: optional(nullable(array(unread({ type: 'object' }), { max: 100 }))),
  country_pools: byPlace,
  region_pools: byPlace,
  pop_pools: byPlace,
  pool_sets: optional(nullable(array(unread({ type: 'object' }), { max: 100 }))),
  networks: optional(nullable(array(text({ max: 64 }), { max: 10 }))),
  id: ignored(),
  zone_name: ignored(),
  created_on: ignored(),
  modified_on: ignored(),
};
const body = named('NewLoadBalancer', object({ ...required, ...content }));
const edited = named(
  'LoadBalancerEdit',
  object({
    name: optional(required.name),
    default_pools: optional(required.default_pools),
    fallback_pool: optional(required.fallback_pool),
    ...content,
  }),
);
const shownAttributes = named(
  'ShownSessionAffinityAttributes',
  record({
    samesite: string,
    secure: string,
    drain_duration: whole,
    zero_downtime_failover: string,
    headers: optional(listOf(string)),
    require_all_headers: optional(flag()),
  }),
);
const pools = mapOf(listOf(string));
const result = named(
  'LoadBalancer',
  record({
    id: string,
    name: string,
    description: string,
    enabled: flag(),
    proxied: flag(),
    ttl: optional(whole),
    default_pools: listOf(string),
    fallback_pool: string,
    region_pools: pools,
    country_pools: pools,
    pop_pools: pools,
    steering_policy: string,
    random_steering: optional(
      named('ShownRandomSteering', record({ default_weight: number, pool_weights: mapOf(number) })),
    ),
    session_affinity: string,
    session_affinity_ttl: optional(whole),
    session_affinity_attributes: optional(shownAttributes),
    location_strategy: optional(
      named('ShownLocationStrategy', record({ mode: optional(string), prefer_ecs: optional(string) })),
    ),
    networks: optional(listOf(string)),
    adaptive_routing: optional(named('ShownAdaptiveRouting', record({ failover_across_pools: flag() }))),
    rules: listOf(string),
    zone_name: string,
    created_on: timestamp,
    modified_on: timestamp,
  }),
);

const path = '/zones/{zone_id}/load_balancers';
const one = `${path}/{load_balancer_id}` as const;
const contentCodes = [codes.balancingInvalid];

export const loadBalancerOperations = {
  'loadBalancers.list': operation(`GET ${path}`, {
    summary: 'List the load balancers of a zone',
    result: listOf(result),
  }),
  'loadBalancers.create': operation(`POST ${path}`, {
    summary: 'Create a load balancer',
    body,
    result,
    codes: [...contentCodes, codes.balancingQuota],
  }),
  'loadBalancers.get': operation(`GET ${one}`, {
    summary: 'Get a load balancer',
    result,
    codes: [codes.balancingNotFound],
  }),
  'loadBalancers.update': operation(`PUT ${one}`, {
    summary: 'Replace a load balancer',
    body,
    result,
    codes: [codes.balancingNotFound, ...contentCodes],
  }),
  'loadBalancers.edit': operation(`PATCH ${one}`, {
    summary: 'Change parts of a load balancer',
    body: edited,
    result,
    codes: [codes.balancingNotFound, ...contentCodes],
  }),
  'loadBalancers.delete': operation(`DELETE ${one}`, {
    summary: 'Delete a load balancer; its name is served by the origin of the zone again',
    result: deleted,
    codes: [codes.balancingNotFound],
  }),
};
