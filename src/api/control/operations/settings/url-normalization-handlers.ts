/** Operations on the URL normalisation of a zone. */
import { defaultUrlNormalization } from '#rulesets';
import type { EdgeSettings } from '#firewall';
import { noContent, ok, type Result } from '#contract';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { readEdgeSettings, setEdgeSettings } from '../../stores/edge.ts';

export const urlNormalizationHandlers: Handlers<ZoneContext, 'urlNormalization'> = {
  'urlNormalization.get': ({ sql }) => ok(toNormalizationJson(readEdgeSettings(sql))),

  'urlNormalization.update'(context, { body }) {
    const before = readEdgeSettings(context.sql);
    const after: EdgeSettings = { ...before, urlNormalization: body };
    change(context, before, after);
    return ok(toNormalizationJson(after));
  },

  'urlNormalization.delete'(context) {
    const before = readEdgeSettings(context.sql);
    const { urlNormalization: _, ...after } = before;
    change(context, before, after);
    return noContent;
  },
};

function change(context: ZoneContext, before: EdgeSettings, after: EdgeSettings): void {
  setEdgeSettings(context.sql, after);
  context.audit({
    resource: 'url_normalization',
    id: context.zone.id,
    before: toNormalizationJson(before),
    after: toNormalizationJson(after),
  });
}

export function toNormalizationJson({
  urlNormalization = defaultUrlNormalization,
}: EdgeSettings): Result<'urlNormalization.get'> {
  const { type, scope } = urlNormalization;
  return { type, scope };
}
