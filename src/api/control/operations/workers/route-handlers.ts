/** Routes and custom domains: the requests of zones that uploaded Workers answer. */
import { fault, ok, type Result, workerCodes } from '#contract';
import type { Context, Handlers } from '../../context/handler.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import { type RouteRow, type WorkerRow, WorkerStore } from '../../stores/workers.ts';
import { findZone, type GivenZone, parsePattern } from './route-pattern.ts';

type Ids =
  | 'workers.listRoutes'
  | 'workers.setRoutes'
  | 'workers.compareDomains'
  | 'workers.setDomains'
  | 'workers.listDomains'
  | 'workers.attachDomain'
  | 'workers.getDomain'
  | 'workers.detachDomain'
  | 'workers.getSchedules'
  | 'workerRoutes';

export const routeHandlers: Handlers<Context, Ids> = {
  'workers.setRoutes'(context, { path, body }) {
    const worker = requireWorker(context, path['script_name']!);
    const wanted = body.map(({ pattern, ...zone }) =>
      createRoute(context, { pattern, zone, worker, isDomain: false }),
    );
    replaceRoutes(context, { worker, isDomain: false, wanted });
    return ok(body.map(({ pattern }) => pattern));
  },

  'workers.listRoutes'(context, { path }) {
    const worker = requireWorker(context, path['script_name']!);
    const routes = new WorkerStore(context.sql).listRoutes().filter((route) => route.worker === worker);
    return ok(
      routes.map((route) => ({
        id: route.id,
        pattern: route.pattern,
        zone_id: route.zoneId,
        zone_name: nameZone(context, route.zoneId),
        custom_domain: route.isDomain,
      })),
    );
  },

  'workers.compareDomains'(context, { path, body }) {
    const worker = requireWorker(context, path['script_name']!);
    const wanted = body.map((domain) => createDomain(context, worker, domain));
    const all = new WorkerStore(context.sql).listRoutes();
    const taken = (route: RouteRow): RouteRow | undefined => all.find((each) => isSamePlace(each, route));
    const own = all.filter((route) => route.isDomain && route.worker === worker);
    const show = (routes: readonly RouteRow[]) => routes.map((route) => toDomainJson(context, route));
    return ok({
      added: show(wanted.filter((route) => taken(route) === undefined)),
      removed: show(own.filter((route) => !wanted.some((each) => isSamePlace(each, route)))),
      updated: [],
      conflicting: show(
        wanted.flatMap((route) => taken(route) ?? []).filter((route) => route.worker !== worker),
      ),
    });
  },

  'workers.setDomains'(context, { path, body: { origins, override_existing_origin: overrides = false } }) {
    const worker = requireWorker(context, path['script_name']!);
    const wanted = origins.map((domain) => createDomain(context, worker, domain));
    replaceRoutes(context, { worker, isDomain: true, wanted, overrides });
    return ok({ domains: wanted.map((route) => toDomainJson(context, route)) });
  },

  'workers.listDomains'(context, { query: { zone_id, zone_name, hostname, service } }) {
    const domains = listDomains(context).map((route) => toDomainJson(context, route));
    const isWanted = (wanted: string | undefined, value: string): boolean => (wanted ?? value) === value;
    return ok(
      domains.filter(
        (domain) =>
          isWanted(zone_id, domain.zone_id) &&
          isWanted(zone_name, domain.zone_name) &&
          isWanted(hostname, domain.hostname) &&
          isWanted(service, domain.service),
      ),
    );
  },

  'workers.attachDomain'(context, { body: { hostname, service, zone_id, zone_name } }) {
    const worker = requireWorker(context, service);
    const made = createDomain(context, worker, { hostname, zone_id, zone_name });
    const before = listDomains(context).find((route) => isSamePlace(route, made));
    const route = before === undefined ? made : { ...made, id: before.id };
    checkFree(context, route);
    new WorkerStore(context.sql).putRoute(route);
    auditDomain(context, before, route);
    return ok(toDomainJson(context, route));
  },

  'workers.getDomain': (context, { path }) => ok(toDomainJson(context, requireDomain(context, path))),

  'workers.detachDomain'(context, { path }) {
    const before = requireDomain(context, path);
    new WorkerStore(context.sql).removeRoute(before.id);
    auditDomain(context, before, undefined);
    return ok(null);
  },

  'workers.getSchedules'({ sql }, { path }) {
    const worker = new WorkerStore(sql).get(path['script_name']!);
    if (worker === undefined) throw fault(workerCodes.workerNotFound);
    return ok(toSchedulesJson(worker));
  },

  'workerRoutes.list'({ sql }, { path }) {
    const routes = new WorkerStore(sql).listRoutes();
    return ok(routes.filter(({ zoneId }) => zoneId === path['zone_id']).map(toRouteJson));
  },

  'workerRoutes.get': ({ sql }, { path }) => ok(toRouteJson(requireRoute(sql, path))),

  'workerRoutes.create'(context, { path, body: { pattern, script = null } }) {
    const route = createRoute(context, {
      pattern,
      zone: { zone_id: path['zone_id'] },
      worker: script === null ? null : requireWorker(context, script),
      isDomain: false,
    });
    checkFree(context, route);
    new WorkerStore(context.sql).putRoute(route);
    context.audit({ resource: 'worker_route', id: route.id, before: undefined, after: toRouteJson(route) });
    return ok(toRouteJson(route));
  },

  'workerRoutes.update'(context, { path, body: { pattern, script = null } }) {
    const before = requireRoute(context.sql, path);
    const made = createRoute(context, {
      pattern,
      zone: { zone_id: path['zone_id'] },
      worker: script === null ? null : requireWorker(context, script),
      isDomain: before.isDomain,
    });
    const route = { ...made, id: before.id };
    checkFree(context, route);
    new WorkerStore(context.sql).putRoute(route);
    context.audit({
      resource: 'worker_route',
      id: route.id,
      before: toRouteJson(before),
      after: toRouteJson(route),
    });
    return ok(toRouteJson(route));
  },

  'workerRoutes.delete'({ sql, audit }, { path }) {
    const before = requireRoute(sql, path);
    new WorkerStore(sql).removeRoute(before.id);
    audit({ resource: 'worker_route', id: before.id, before: toRouteJson(before), after: undefined });
    return ok({ id: before.id });
  },
};

function listDomains({ sql }: Context): RouteRow[] {
  return new WorkerStore(sql).listRoutes().filter(({ isDomain }) => isDomain);
}

function requireDomain(context: Context, path: Readonly<Record<string, string>>): RouteRow {
  const found = listDomains(context).find(({ id }) => id === path['domain_id']);
  if (found === undefined) throw fault(workerCodes.domainNotFound);
  return found;
}

function auditDomain(context: Context, before: RouteRow | undefined, after: RouteRow | undefined): void {
  const show = (route: RouteRow | undefined) => route && toDomainJson(context, route);
  context.audit({
    resource: 'worker_domain',
    id: (after ?? before)!.id,
    before: show(before),
    after: show(after),
  });
}

export function toSchedulesJson({ crons }: Pick<WorkerRow, 'crons'>): Result<'workers.getSchedules'> {
  return {
    schedules: crons.map(({ cron, createdAtMs }) => {
      const createdOn = toMicroseconds(createdAtMs);
      return { cron, created_on: createdOn, modified_on: createdOn };
    }),
  };
}

interface NewRoute {
  readonly pattern: string;
  readonly zone: GivenZone;
  readonly worker: string | null;
  readonly isDomain: boolean;
}

function createRoute({ directory, newId }: Context, { pattern, zone, worker, isDomain }: NewRoute): RouteRow {
  const { host, path } = parsePattern(pattern);
  const { id: zoneId } = findZone(directory, host, zone);
  return { id: newId(), zoneId, pattern, host, path, worker, isDomain };
}

function createDomain(
  context: Context,
  worker: string,
  { hostname, ...zone }: GivenZone & { readonly hostname: string },
): RouteRow {
  if (/[*/]/.test(hostname))
    throw fault(workerCodes.routePattern, {
      fill: {
        reason: `${JSON.stringify(hostname)} is not a host name: a custom domain has neither a star nor a path`,
      },
    });
  return createRoute(context, { pattern: `${hostname}/*`, zone, worker, isDomain: true });
}

interface RouteReplacement {
  readonly worker: string;
  readonly isDomain: boolean;
  readonly wanted: readonly RouteRow[];
  /** Whether routes are taken over from other Workers. */
  readonly overrides?: boolean;
}

/** All of them change together, or none. Unchanged routes keep their ids. */
function replaceRoutes(
  context: Context,
  { worker, isDomain, wanted, overrides = false }: RouteReplacement,
): void {
  const store = new WorkerStore(context.sql);
  const before = store.listRoutes().filter((route) => route.worker === worker && route.isDomain === isDomain);
  const gone = before.filter((route) => !wanted.some((each) => isSamePlace(each, route)));
  for (const { id } of gone) store.removeRoute(id);
  const added = wanted.filter(
    (route, index) =>
      !before.some((each) => isSamePlace(each, route)) &&
      wanted.findIndex((each) => isSamePlace(each, route)) === index,
  );
  for (const route of added) {
    if (overrides)
      store
        .listRoutes()
        .filter((each) => isSamePlace(each, route))
        .forEach(({ id }) => store.removeRoute(id));
    checkFree(context, route);
    store.putRoute(route);
  }
  if (gone.length + added.length === 0) return;
  const show = (routes: readonly RouteRow[]): object => ({ patterns: routes.map(({ pattern }) => pattern) });
  context.audit({
    resource: isDomain ? 'worker_domains' : 'worker_routes',
    id: worker,
    before: show(before),
    after: show(wanted),
  });
}

function checkFree({ sql }: Context, route: RouteRow): void {
  const other = new WorkerStore(sql)
    .listRoutes()
    .find((each) => each.id !== route.id && isSamePlace(each, route));
  if (other === undefined) return;
  throw fault(workerCodes.routeTaken, { fill: { script: other.worker ?? '–', pattern: other.pattern } });
}

function isSamePlace(one: RouteRow, other: RouteRow): boolean {
  return one.host === other.host && one.path === other.path;
}

function requireWorker({ sql }: Context, name: string): string {
  if (new WorkerStore(sql).get(name) === undefined) throw fault(workerCodes.workerNotFound);
  return name;
}

function requireRoute(sql: Context['sql'], path: Readonly<Record<string, string>>): RouteRow {
  const found = new WorkerStore(sql).getRoute(path['route_id']!);
  if (found === undefined || found.zoneId !== path['zone_id']) throw fault(workerCodes.routeNotFound);
  return found;
}

function toRouteJson({ id, pattern, worker }: RouteRow): Result<'workerRoutes.get'> {
  return { id, pattern, script: worker };
}

function toDomainJson(
  { directory }: Context,
  { id, host, worker, zoneId }: RouteRow,
): Result<'workers.setDomains'>['domains'][number] {
  return {
    id,
    hostname: host,
    service: worker ?? '',
    environment: 'production',
    zone_id: zoneId,
    zone_name: nameZone({ directory }, zoneId),
  };
}

function nameZone({ directory }: Pick<Context, 'directory'>, zoneId: string): string {
  return directory.zones.get(zoneId)?.name ?? '';
}
