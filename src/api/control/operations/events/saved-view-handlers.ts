/** Saved searches of the activity log. */
import { fault, ok, type Result, securityCodes } from '#contract';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { savedViewsMax } from '../../context/limits.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { type SavedView, savedViewTable } from '../../stores/events.ts';

export const savedViewHandlers: Handlers<ZoneContext, 'savedViews'> = {
  'savedViews.list': ({ sql }) => ok(savedViewTable.list(sql).map(toJson)),

  'savedViews.create'({ sql, nowMs, newId, actor, audit }, { body: { name, search } }) {
    const before = savedViewTable.list(sql).find((view) => view.name === name);
    if (before === undefined && savedViewTable.count(sql) >= savedViewsMax)
      throw fault(securityCodes.viewsTooMany, { fill: { max: savedViewsMax } });
    const view = { id: before?.id ?? newId(), name, search, createdAtMs: nowMs, createdBy: actor.email };
    if (before === undefined) savedViewTable.insert(sql, view);
    else savedViewTable.update(sql, view);
    audit({ resource: 'saved view', id: view.id, before: before && toJson(before), after: toJson(view) });
    return ok(toJson(view));
  },

  'savedViews.delete'({ sql, audit }, { path }) {
    const id = path['view_id']!;
    const before = savedViewTable.get(sql, id);
    savedViewTable.remove(sql, id);
    if (before !== undefined) audit({ resource: 'saved view', id, before: toJson(before), after: undefined });
    return ok({ id });
  },
};

function toJson({ id, name, search, createdAtMs, createdBy }: SavedView): Result<'savedViews.create'> {
  return { id, name, search, created_on: toSeconds(createdAtMs), created_by: createdBy };
}
