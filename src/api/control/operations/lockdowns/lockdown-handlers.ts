/** Operations on zone lockdown rules. */
import { parseIp, parseNetwork } from '#addresses';
import { fault, type InputOf, lockdownCodes as codes, ok, page, type Result } from '#contract';
import { formatPagePattern, readPagePattern } from '#rulesets';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { lockdownsMax } from '../../context/limits.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { type Lockdown, type LockdownConfiguration, lockdownTable } from '../../stores/lockdowns.ts';
import { findUrlProblem } from '../page-rules/zone-host.ts';

export const lockdownHandlers: Handlers<ZoneContext, 'lockdowns'> = {
  'lockdowns.list'({ sql }, { query }) {
    const { total, rows } = lockdownTable.search(sql, {
      ...query,
      description: query.description ?? query.description_search,
      ip: query.ip ?? query.ip_search ?? query.ip_range_search,
    });
    return page(rows.map(toJson), { ...query, total });
  },

  'lockdowns.create'(context, { body }) {
    const { sql, zone, nowMs } = context;
    const max = lockdownsMax[zone.plan];
    if (lockdownTable.count(sql) >= max) throw fault(codes.lockdownQuota, { fill: { max } });
    const id = context.newId();
    const rule: Lockdown = {
      ...checkContent(context, id, body),
      id,
      createdAtMs: nowMs,
      modifiedAtMs: nowMs,
    };
    lockdownTable.insert(sql, rule);
    context.audit({ resource: 'lockdown', id, before: undefined, after: toJson(rule) });
    return ok(toJson(rule));
  },

  'lockdowns.get'(context, { path }) {
    return ok(toJson(requireRule(context, path['lock_downs_id']!)));
  },

  'lockdowns.update'(context, { path, body }) {
    const before = requireRule(context, path['lock_downs_id']!);
    const { id } = before;
    const rule = { ...before, ...checkContent(context, id, body), modifiedAtMs: context.nowMs };
    lockdownTable.update(context.sql, rule);
    context.audit({ resource: 'lockdown', id, before: toJson(before), after: toJson(rule) });
    return ok(toJson(rule));
  },

  'lockdowns.delete'(context, { path }) {
    const before = requireRule(context, path['lock_downs_id']!);
    const { id } = before;
    lockdownTable.remove(context.sql, id);
    context.audit({ resource: 'lockdown', id, before: toJson(before), after: undefined });
    return ok({ id });
  },
};

type Content = Omit<Lockdown, 'id' | 'createdAtMs' | 'modifiedAtMs'>;

function requireRule({ sql }: ZoneContext, id: string): Lockdown {
  const rule = lockdownTable.get(sql, id);
  if (rule === undefined) throw fault(codes.lockdownNotFound, { fill: { rule: id } });
  return rule;
}

/** Checks the content as that of rule `id`. */
function checkContent(
  { sql, zone }: ZoneContext,
  id: string,
  { urls, configurations, description, paused = false, priority }: InputOf<'lockdowns.create'>['body'],
): Content {
  const patterns = urls.map((url, index) => readUrl(url, zone.name, `/urls/${index}`));
  for (const [index, each] of configurations.entries()) checkAddress(each, `/configurations/${index}/value`);
  const urlsKey = JSON.stringify([...new Set(patterns)].toSorted());
  const [same] = lockdownTable.select(sql, 'WHERE urls_key = ? AND id <> ?', urlsKey, id);
  if (same !== undefined) throw fault(codes.lockdownDuplicate, { pointer: '/urls', id: same.id });
  return {
    isPaused: paused,
    description: description ?? '',
    urls,
    urlsKey,
    configurations,
    priority: priority ?? null,
  };
}

/** Returns the spelling that equivalent patterns share. */
function readUrl(url: string, zoneName: string, pointer: string): string {
  const problem = findUrlProblem(url, zoneName);
  const read = readPagePattern(url);
  if (problem !== undefined || !read.ok)
    throw fault(codes.lockdownInvalid, { pointer, fill: { reason: `the URL ${problem}` } });
  return formatPagePattern(read.pattern);
}

function checkAddress({ target, value }: LockdownConfiguration, pointer: string): void {
  const isSound =
    target === 'ip' ? parseIp(value) !== undefined : value.includes('/') && parseNetwork(value) !== undefined;
  if (isSound) return;
  const reason = target === 'ip' ? 'an ip must be an address' : 'an ip_range must be a network: 192.0.2.0/24';
  throw fault(codes.lockdownInvalid, { pointer, fill: { reason } });
}

function toJson(rule: Lockdown): Result<'lockdowns.get'> {
  const { id, isPaused, description, urls, configurations, priority, createdAtMs, modifiedAtMs } = rule;
  return {
    id,
    paused: isPaused,
    // Provider 5 replaces a rule that was created without a description but has an empty one.
    ...(description === '' ? {} : { description }),
    urls,
    configurations,
    ...(priority === null ? {} : { priority }),
    created_on: toSeconds(createdAtMs),
    modified_on: toSeconds(modifiedAtMs),
  };
}
