/** Operations on monitors. */
import { fault, type InputOf, loadBalancingCodes as codes, ok, type Result } from '#contract';
import { isHeaderValue } from '#rulesets';
import type { Context, Handlers } from '../../context/handler.ts';
import { monitorsMax } from '../../context/limits.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import {
  type MonitorContent,
  type MonitorRow,
  monitorTable,
  poolTable,
} from '../../stores/load-balancing/load-balancing.ts';
import { refuse, requireUnused, toReference } from './references.ts';

type Body = InputOf<'monitors.create'>['body'];

export const monitorHandlers: Handlers<Context, 'monitors'> = {
  'monitors.list': ({ sql }) => ok(monitorTable.list(sql).map(toJson)),

  'monitors.create'(context, { body }) {
    const { sql, nowMs } = context;
    if (monitorTable.hasAtLeast(sql, monitorsMax))
      throw fault(codes.balancingQuota, { fill: { max: monitorsMax, what: 'monitors' } });
    const row = { id: context.newId(), content: checkContent(body), createdAtMs: nowMs, modifiedAtMs: nowMs };
    monitorTable.insert(sql, row);
    context.audit({ resource: 'monitor', id: row.id, before: undefined, after: toJson(row) });
    return ok(toJson(row));
  },

  'monitors.get': (context, { path }) => ok(toJson(requireMonitor(context, path))),

  'monitors.update': (context, { path, body }) => ok(replace(context, requireMonitor(context, path), body)),

  'monitors.edit'(context, { path, body }) {
    const before = requireMonitor(context, path);
    return ok(replace(context, before, { ...before.content, ...body }));
  },

  'monitors.delete'(context, { path }) {
    const before = requireMonitor(context, path);
    requireUnused('the monitor', listReferences(context, before.id));
    monitorTable.remove(context.sql, before.id);
    context.audit({ resource: 'monitor', id: before.id, before: toJson(before), after: undefined });
    return ok({ id: before.id });
  },

  'monitors.references': (context, { path }) => ok(listReferences(context, requireMonitor(context, path).id)),
};

function replace(context: Context, before: MonitorRow, body: Body): Result<'monitors.get'> {
  const row = { ...before, content: checkContent(body), modifiedAtMs: context.nowMs };
  monitorTable.update(context.sql, row);
  context.audit({ resource: 'monitor', id: row.id, before: toJson(before), after: toJson(row) });
  return toJson(row);
}

function listReferences({ sql }: Context, id: string): Result<'monitors.references'> {
  return poolTable
    .select(sql, `WHERE json_extract(content, '$.monitor') = ? ORDER BY sequence`, id)
    .map((pool) => toReference('pool', pool));
}

function requireMonitor({ sql }: Context, path: Readonly<Record<string, string>>): MonitorRow {
  const id = path['monitor_id']!;
  const row = monitorTable.get(sql, id);
  if (row === undefined) throw fault(codes.balancingNotFound, { fill: { what: 'monitor', id } });
  return row;
}

function checkContent(body: Body): MonitorContent {
  const { type = 'http', timeout = 5, retries = 2, interval = 60, port } = body;
  if (type !== 'http' && type !== 'https' && type !== 'tcp')
    return refuse('/type', `type: ${type} is not sent from here; use http, https or tcp`);
  if (timeout * (retries + 1) > interval)
    refuse(
      '/interval',
      `interval: must be at least timeout times (retries + 1), which is ${timeout * (retries + 1)} s`,
    );
  if (type === 'tcp' && (port ?? 0) === 0) refuse('/port', 'port: a tcp monitor needs one');
  return {
    type,
    description: body.description ?? '',
    ...checkRequest(type, body),
    ...((port ?? 0) === 0 ? {} : { port: port! }),
    timeout,
    retries,
    interval,
    // Provider 5 of Terraform reports a 0 that it did not send as a change.
    ...(body.consecutive_up === undefined ? {} : { consecutive_up: body.consecutive_up }),
    ...(body.consecutive_down === undefined ? {} : { consecutive_down: body.consecutive_down }),
    follow_redirects: body.follow_redirects ?? false,
    allow_insecure: body.allow_insecure ?? false,
    probe_zone: body.probe_zone ?? '',
  };
}

type Request = Pick<MonitorContent, 'method' | 'path' | 'header' | 'expected_body' | 'expected_codes'>;

function checkRequest(type: string, body: Body): Request {
  if (type === 'tcp')
    return { method: 'connection_established', path: '', header: {}, expected_body: '', expected_codes: '' };
  const { header, expected_body = '' } = body;
  const method = body.method || 'GET';
  const path = body.path || '/';
  const codesText = body.expected_codes || '200';
  if (method !== 'GET' && method !== 'HEAD') refuse('/method', 'method: must be GET or HEAD');
  if (!/^\/[!-~]*$/.test(path)) refuse('/path', 'path: must begin with / and have no spaces');
  if (!/^[1-5](?:xx|[0-9]{2})(?:\s*,\s*[1-5](?:xx|[0-9]{2}))*$/.test(codesText))
    refuse('/expected_codes', 'expected_codes: must be comma-separated statuses like 200 or 2xx');
  for (const [name, values] of Object.entries(header ?? {})) {
    if (!/^[A-Za-z0-9_-]+$/.test(name) || ownFields.has(name.toLowerCase()) || !values.every(isHeaderValue))
      refuse(`/header/${name}`, `header: ${name} cannot be sent`);
  }
  return { method, path, header: header ?? {}, expected_body, expected_codes: codesText };
}

/** They frame the request, so the server sets them. */
const ownFields: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
]);

function toJson({ id, content, createdAtMs, modifiedAtMs }: MonitorRow): Result<'monitors.get'> {
  return {
    id,
    ...content,
    created_on: toMicroseconds(createdAtMs),
    modified_on: toMicroseconds(modifiedAtMs),
  };
}
