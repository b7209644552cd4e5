/** Monitors: how the health of pool origins is checked. */
import { loadBalancingCodes as codes } from '../../codes/load-balancing.ts';
import { operationsOf } from '../../operation.ts';
import type { Permission } from '../../permissions.ts';
import {
  array,
  choice,
  deleted,
  flag,
  ignored,
  integer,
  listOf,
  map,
  mapOf,
  named,
  nullable,
  object,
  optional,
  record,
  string,
  text,
  timestamp,
  whole,
} from '#shapes';

export const poolsRead: readonly Permission[] = ['loadBalancingPoolsRead', 'loadBalancingPoolsWrite'];
export const poolsWrite: readonly Permission[] = ['loadBalancingPoolsWrite'];

const operation = operationsOf({ api: 'load_balancing', read: poolsRead, write: poolsWrite });

/** Cloudflare's types; the handler refuses those that this server cannot send, with an explanation. */
const monitorTypes = ['http', 'https', 'tcp', 'udp_icmp', 'icmp_ping', 'smtp'] as const;

const content = {
  type: optional(choice(monitorTypes)),
  description: optional(text({ max: 1_024 })),
  method: optional(text({ max: 32 })),
  path: optional(text({ max: 1_024 })),
  header: optional(nullable(map(array(text({ max: 1_024 }), { max: 10 }), { max: 20 }))),
  port: optional(nullable(integer({ min: 0, max: 65_535 }))),
  timeout: optional(integer({ min: 1, max: 60 })),
  retries: optional(integer({ min: 0, max: 5 })),
  interval: optional(integer({ min: 1, max: 3_600 })),
  consecutive_up: optional(integer({ min: 0, max: 100 })),
  consecutive_down: optional(integer({ min: 0, max: 100 })),
  expected_body: optional(text({ max: 1_024 })),
  expected_codes: optional(text({ max: 256 })),
  follow_redirects: optional(flag()),
  allow_insecure: optional(flag()),
  probe_zone: optional(text({ max: 253 })),
  id: ignored(),
  created_on: ignored(),
  modified_on: ignored(),
};
const body = named('NewMonitor', object(content));
const result = named(
  'Monitor',
  record({
    id: string,
    type: choice(['http', 'https', 'tcp']),
    description: string,
    method: string,
    path: string,
    header: mapOf(listOf(string)),
    port: optional(whole),
    timeout: whole,
    retries: whole,
    interval: whole,
    consecutive_up: optional(whole),
    consecutive_down: optional(whole),
    expected_body: string,
    expected_codes: string,
    follow_redirects: flag(),
    allow_insecure: flag(),
    probe_zone: string,
    created_on: timestamp,
    modified_on: timestamp,
  }),
);

/** What uses a pool or a monitor. */
export const reference = named(
  'LoadBalancingReference',
  record({ reference_type: string, resource_id: string, resource_name: string, resource_type: string }),
);

const path = '/accounts/{account_id}/load_balancers/monitors';
const one = `${path}/{monitor_id}` as const;

export const monitorOperations = {
  'monitors.list': operation(`GET ${path}`, {
    summary: 'List the monitors of the account',
    result: listOf(result),
  }),
  'monitors.create': operation(`POST ${path}`, {
    summary: 'Create a monitor',
    body,
    result,
    codes: [codes.balancingInvalid, codes.balancingQuota],
  }),
  'monitors.get': operation(`GET ${one}`, {
    summary: 'Get a monitor',
    result,
    codes: [codes.balancingNotFound],
  }),
  'monitors.update': operation(`PUT ${one}`, {
    summary: 'Replace a monitor',
    body,
    result,
    codes: [codes.balancingNotFound, codes.balancingInvalid],
  }),
  'monitors.edit': operation(`PATCH ${one}`, {
    summary: 'Change parts of a monitor',
    body,
    result,
    codes: [codes.balancingNotFound, codes.balancingInvalid],
  }),
  'monitors.delete': operation(`DELETE ${one}`, {
    summary: 'Delete a monitor that no pool uses',
    result: deleted,
    codes: [codes.balancingNotFound, codes.balancingInUse],
  }),
  'monitors.references': operation(`GET ${one}/references`, {
    summary: 'List the pools that use a monitor',
    result: listOf(reference),
    codes: [codes.balancingNotFound],
  }),
};
