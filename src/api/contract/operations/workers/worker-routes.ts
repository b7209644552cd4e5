/**
 * What leads to uploaded Workers apart from their own host names: routes and custom domains of zones, and schedules.
 */
import { workerCodes as codes } from '../../codes/workers.ts';
import { operationsOf } from '../../operation.ts';
import { ofAccount, script, several, workersRead, workersWrite } from './worker-rows.ts';
import {
  array,
  deleted,
  flag,
  flagParameter,
  ignored,
  listOf,
  named,
  nothing,
  nullable,
  object,
  optional,
  record,
  string,
  text,
  textParameter,
  timestamp,
} from '#shapes';

const api = 'workers';
const operation = operationsOf({ api, read: workersRead, write: workersWrite });
const zoneRoutes = '/zones/{zone_id}/workers/routes';
const ofZone = { api, answeredBy: 'account' } as const;
const routesRead = ['workersRoutesRead', 'workersRoutesWrite'] as const;
const routesWrite = ['workersRoutesWrite'] as const;

const pattern = text({ min: 1, max: 1_024 });
const route = named('WorkerRoute', record({ id: string, pattern: string, script: nullable(string) }));
const routeContent = named(
  'WorkerRouteContent',
  object({
    pattern,
    script: optional(nullable(text({ max: 63 }))),
    request_limit_fail_open: optional(flag()),
  }),
);
const zoneNamed = { zone_id: optional(text({ max: 32 })), zone_name: optional(text({ max: 253 })) };
const sentFlags = {
  custom_domain: optional(flag()),
  enabled: optional(flag()),
  previews_enabled: optional(flag()),
};
const sentRoute = named('WantedWorkerRoute', object({ pattern, ...zoneNamed, ...sentFlags }));
const sentDomain = named(
  'WantedWorkerDomain',
  object({ hostname: text({ min: 1, max: 253 }), ...zoneNamed, ...sentFlags }),
);
const sentSchedule = named('WantedWorkerSchedule', object({ cron: text({ min: 1, max: 200 }) }));
const domains = array(sentDomain, { max: 100 });
const domain = named(
  'WorkerDomain',
  record({
    id: string,
    hostname: string,
    service: string,
    environment: string,
    zone_name: string,
    zone_id: string,
  }),
);
const allDomains = '/accounts/{account_id}/workers/domains';
const routing = [codes.routePattern, codes.routeTaken, codes.workerNotFound] as const;

const schedule = named(
  'WorkerSchedule',
  record({ cron: string, created_on: timestamp, modified_on: timestamp }),
);
const schedules = named('WorkerSchedules', record({ schedules: listOf(schedule) }));

export const workerRouteOperations = {
  'workers.setRoutes': operation(`PUT ${script}/routes`, {
    ...ofAccount,
    summary: 'Replace the routes of a Worker, in whichever zones they are',
    body: named('WorkerRoutesChange', array(sentRoute, { max: 1_000 })),
    result: listOf(named('WorkerRoutePattern', string)),
    codes: routing,
  }),
  'workers.listRoutes': operation(`GET ${script}/routes`, {
    ...ofAccount,
    isOurs: true,
    summary: 'List the routes and custom domains that lead to a Worker, in whichever zones they are',
    result: listOf(
      named(
        'WorkerRouteInZone',
        record({ id: string, pattern: string, zone_id: string, zone_name: string, custom_domain: flag() }),
      ),
    ),
    codes: [codes.workerNotFound],
  }),
  'workers.compareDomains': operation(`POST ${script}/domains/changeset`, {
    ...ofAccount,
    summary: 'Preview a change of the custom domains of a Worker',
    permissions: workersRead,
    isWrite: false,
    query: { replace_state: flagParameter('Ignored: the domains are always those that are sent.') },
    body: named('WorkerDomainsWanted', domains),
    result: named(
      'WorkerDomainsChange',
      record({
        added: listOf(domain),
        removed: listOf(domain),
        updated: listOf(domain),
        conflicting: listOf(domain),
      }),
    ),
    codes: routing,
  }),
  'workers.setDomains': operation(`PUT ${script}/domains/records`, {
    ...ofAccount,
    summary: 'Replace the custom domains of a Worker',
    body: named(
      'WorkerDomains',
      object({
        override_scope: optional(flag()),
        override_existing_origin: optional(flag()),
        override_existing_dns_record: optional(flag()),
        origins: domains,
      }),
    ),
    result: named('WorkerDomainsSet', record({ domains: listOf(domain) })),
    codes: routing,
  }),
  'workers.listDomains': operation(`GET ${allDomains}`, {
    ...ofAccount,
    summary: 'List the custom domains of all Workers',
    query: {
      zone_id: textParameter(),
      zone_name: textParameter(),
      hostname: textParameter(),
      service: textParameter('The name of a Worker.'),
      environment: textParameter('Ignored: a Worker has one.'),
    },
    result: listOf(domain),
  }),
  'workers.attachDomain': operation(`PUT ${allDomains}`, {
    ...ofAccount,
    summary: 'Let a Worker answer a host name, even one that another Worker answers now',
    body: named(
      'WorkerDomainContent',
      object({
        hostname: text({ min: 1, max: 253 }),
        service: text({ min: 1, max: 63 }),
        environment: optional(text({ max: 63 })),
        zone_id: optional(text({ max: 32 })),
        zone_name: optional(text({ max: 253 })),
        id: ignored(),
      }),
    ),
    result: domain,
    codes: routing,
  }),
  'workers.getDomain': operation(`GET ${allDomains}/{domain_id}`, {
    ...ofAccount,
    summary: 'Get a custom domain',
    result: domain,
    codes: [codes.domainNotFound],
  }),
  'workers.detachDomain': operation(`DELETE ${allDomains}/{domain_id}`, {
    ...ofAccount,
    summary: 'Delete a custom domain',
    result: nothing,
    codes: [codes.domainNotFound],
  }),
  'workers.getSchedules': operation(`GET ${script}/schedules`, {
    ...ofAccount,
    summary: 'List the times at which a Worker is called',
    result: schedules,
    codes: [codes.workerNotFound],
  }),
  'workers.setSchedules': operation(`PUT ${script}/schedules`, {
    ...several,
    summary: 'Replace the times at which a Worker is called',
    body: named('WorkerSchedulesChange', array(sentSchedule, { max: 50 })),
    result: schedules,
    codes: [codes.workerNotFound, codes.cronInvalid, codes.notUploadable],
  }),
  'workerRoutes.list': operation(`GET ${zoneRoutes}`, {
    ...ofZone,
    summary: 'List the routes of a zone to Workers',
    permissions: routesRead,
    result: listOf(route),
  }),
  'workerRoutes.create': operation(`POST ${zoneRoutes}`, {
    ...ofZone,
    summary: 'Create a route: a Worker answers the requests, or none where another route would',
    permissions: routesWrite,
    body: routeContent,
    result: route,
    codes: routing,
  }),
  'workerRoutes.get': operation(`GET ${zoneRoutes}/{route_id}`, {
    ...ofZone,
    summary: 'Get a route',
    permissions: routesRead,
    result: route,
    codes: [codes.routeNotFound],
  }),
  'workerRoutes.update': operation(`PUT ${zoneRoutes}/{route_id}`, {
    ...ofZone,
    summary: 'Replace a route',
    permissions: routesWrite,
    body: routeContent,
    result: route,
    codes: [...routing, codes.routeNotFound],
  }),
  'workerRoutes.delete': operation(`DELETE ${zoneRoutes}/{route_id}`, {
    ...ofZone,
    summary: 'Delete a route',
    permissions: routesWrite,
    result: deleted,
    codes: [codes.routeNotFound],
  }),
};
