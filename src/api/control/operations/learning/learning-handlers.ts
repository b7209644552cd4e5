/** What a zone has learned about the values of its requests: reading and deleting it. */
import { ok, page, type Result } from '#contract';
import { describeShape } from '#learning';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { readEdgeSettings } from '../../stores/edge.ts';
import {
  countKnown,
  countLearned,
  describeRow,
  forgetAll,
  forgetSome,
  isKnown,
  type LearnedRow,
  readLearning,
  searchLearned,
} from '../../stores/learning.ts';

export const learningHandlers: Handlers<ZoneContext, 'learning'> = {
  'learning.get'({ sql }) {
    const state = readLearning(sql);
    return ok({
      mode: readEdgeSettings(sql).learning ?? 'off',
      since: state === undefined ? null : toSeconds(state.sinceMs),
      requests: state?.requests ?? 0,
      values: countLearned(sql),
      known: countKnown(sql),
    });
  },

  'learning.list'({ sql, nowMs }, { query }) {
    const { total, rows } = searchLearned(sql, query);
    return page(
      rows.map((row) => toJson(row, nowMs)),
      { ...query, total },
    );
  },

  'learning.forget'({ sql, nowMs, newId, audit, zone }, { query }) {
    const [path, name] = [query.path || undefined, query.name || undefined];
    const values =
      path === undefined ? forgetAll(sql, { seed: newId(), nowMs }) : forgetSome(sql, { path, name, nowMs });
    const what = { ...(path === undefined ? {} : { path }), ...(name === undefined ? {} : { name }) };
    if (values > 0)
      audit({ resource: 'learned values', id: zone.id, before: { ...what, values }, after: undefined });
    return ok({ values });
  },
};

function toJson(row: LearnedRow, nowMs: number): Result<'learning.list'>[number] {
  const { path, place, name, requests, networks, firstMs, lastMs } = row;
  return {
    path,
    place,
    name,
    requests,
    networks,
    since: toSeconds(firstMs),
    last: toSeconds(lastMs),
    usual: describeShape(describeRow(row)),
    known: isKnown(row, nowMs),
  };
}
