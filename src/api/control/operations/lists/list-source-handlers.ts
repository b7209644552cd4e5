/** Operations on the sources of lists. The alarm of the account does the work. */
import { fault, type InputOf, listCodes, listSourceCodes as codes, ok, type Result } from '#contract';
import type { AccountContext, Handlers } from '../../context/handler.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { describeObstacle, endpointOf } from '../named-server.ts';
import { type ListSource, listSourceTable } from '../../stores/lists/list-sources.ts';
import { type List, ListStore } from '../../stores/lists/list-store.ts';

/** Fetches the sources that are due. */
export const sourceTask = 'lists.fetch';

const defaultSeconds = { url: 3_600, crowdsec: 60 } as const;

type Path = Readonly<Record<string, string>>;

export const listSourceHandlers: Handlers<AccountContext, 'listSources'> = {
  'listSources.get': (context, { path }) => ok(toJson(context, requireSource(context, path))),

  'listSources.set'(context, { path, body }) {
    const { sql, nowMs } = context;
    const list = requireList(context, path);
    const before = listSourceTable.get(sql, list.id);
    const row = readSource(context, { list, before, body });
    listSourceTable.put(sql, row);
    context.schedule(sourceTask, { dueMs: nowMs });
    const [old, now] = [before && toJson(context, before), toJson(context, row)];
    context.audit({ resource: 'list_source', id: list.id, before: old, after: now });
    return ok(now);
  },

  'listSources.delete'(context, { path }) {
    const before = requireSource(context, path);
    listSourceTable.remove(context.sql, before.id);
    const old = toJson(context, before);
    context.audit({ resource: 'list_source', id: before.id, before: old, after: undefined });
    return ok({ id: before.id });
  },
};

function requireList({ sql }: AccountContext, path: Path): List {
  const id = path['list_id']!;
  const list = new ListStore(sql).get(id);
  if (list === undefined) throw fault(listCodes.listNotFound, { fill: { list: id } });
  return list;
}

function requireSource(context: AccountContext, path: Path): ListSource {
  const list = requireList(context, path);
  const source = listSourceTable.get(context.sql, list.id);
  if (source === undefined) throw fault(codes.listSourceNotFound, { fill: { list: list.name } });
  return source;
}

function refuse(pointer: string, reason: string): never {
  throw fault(codes.listSourceInvalid, { pointer, fill: { reason } });
}

interface Given {
  readonly list: List;
  readonly before: ListSource | undefined;
  readonly body: InputOf<'listSources.set'>['body'];
}

function readSource(
  { nowMs, checkOrigin, keySealer }: AccountContext,
  { list, before, body }: Given,
): ListSource {
  const { kind = 'url', key } = body;
  if (list.kind === 'redirect' || (kind === 'crowdsec' && list.kind === 'hostname'))
    refuse('/kind', `a list of kind ${list.kind} is not filled from ${kind}`);
  const url = URL.parse(body.url);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return refuse('/url', 'url must begin with https:// or http:// and have no name and password: use key');
  const obstacle = describeObstacle(checkOrigin, endpointOf(url));
  if (obstacle !== undefined) refuse('/url', `url: ${obstacle}`);
  if (!/^[\x21-\x7e]*$/.test(key ?? '')) refuse('/key', 'key must be printable ASCII without spaces');
  // A key may only be sent to the server that it was set for.
  const isSame = before !== undefined && before.kind === kind && new URL(before.url).origin === url.origin;
  const kept = isSame && key === undefined ? before.sealedKey : null;
  const sealedKey = (key ?? '') === '' ? kept : keySealer.seal(key!, `list source ${list.id}`);
  if (kind === 'crowdsec' && sealedKey === null)
    refuse('/key', 'key is required: the key of a bouncer, from cscli bouncers add');
  return {
    id: list.id,
    kind,
    url: body.url,
    sealedKey,
    intervalMs: (body.interval_seconds ?? defaultSeconds[kind]) * 1_000,
    fetchedAtMs: isSame ? before.fetchedAtMs : null,
    changedAtMs: isSame ? before.changedAtMs : null,
    dueMs: nowMs,
    failures: 0,
    problem: null,
    validators: {},
  };
}

function toJson({ nowMs }: AccountContext, source: ListSource): Result<'listSources.get'> {
  const { kind, url, intervalMs, sealedKey, fetchedAtMs, changedAtMs, dueMs, problem } = source;
  return {
    kind,
    url,
    interval_seconds: intervalMs / 1_000,
    has_key: sealedKey !== null,
    fetched_on: fetchedAtMs === null ? null : toSeconds(fetchedAtMs),
    changed_on: changedAtMs === null ? null : toSeconds(changedAtMs),
    age_seconds: fetchedAtMs === null ? null : Math.max(0, Math.round((nowMs - fetchedAtMs) / 1_000)),
    next_on: toSeconds(dueMs),
    problem,
  };
}
