/** Operations on how a zone is served. */
import type { ConfiguredOrigin, EdgeSettings } from '#firewall';
import { edgeCodes, type edgeOperations, fault, ok } from '#api';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { edgeSettings, setEdgeSettings } from '../../stores/edge-settings-store.ts';

export const edgeHandlers: Handlers<ZoneContext, typeof edgeOperations> = {
  'edge.get': ({ sql }) => ok(settingsJson(edgeSettings(sql))),

  'edge.update'(context, { body }) {
    const before = edgeSettings(context.sql);
    const { origin, over_inspection_limit: overInspectionLimit = before.overInspectionLimit } = body;
    const after: EdgeSettings = {
      origin: origin === undefined ? before.origin : origin === null ? undefined : checkedOrigin(origin),
      overInspectionLimit,
    };
    setEdgeSettings(context.sql, after);
    context.audit({
      resource: 'edge',
      id: context.zone.id,
      before: settingsJson(before),
      after: settingsJson(after),
    });
    return ok(settingsJson(after));
  },
};

interface GivenOrigin {
  readonly url: string;
  readonly connect_to?: string;
  readonly verify_tls?: boolean;
}

/** Which addresses may be connected to is the edge's to say, when it knows them. */
function checkedOrigin({ url, connect_to, verify_tls = true }: GivenOrigin): ConfiguredOrigin {
  const parsed = URL.parse(url);
  const reason = whyNotOrigin(parsed);
  if (reason !== undefined || parsed === null) {
    throw fault(edgeCodes.originInvalid, { pointer: '/origin/url', fill: { reason: `${reason}: ${url}` } });
  }
  return {
    url: parsed.origin,
    verifyTls: verify_tls,
    ...(connect_to === undefined ? {} : { connectTo: connect_to }),
  };
}

function whyNotOrigin(url: URL | null): string | undefined {
  if (url === null) return 'this is not a URL';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'the scheme must be http or https';
  if (url.username !== '' || url.password !== '') return 'there must be no user name or password';
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return 'there must be no path, query or fragment';
  return undefined;
}

function settingsJson({ origin, overInspectionLimit }: EdgeSettings): object {
  return {
    origin:
      origin === undefined
        ? null
        : {
            url: origin.url,
            verify_tls: origin.verifyTls,
            ...(origin.connectTo === undefined ? {} : { connect_to: origin.connectTo }),
          },
    over_inspection_limit: overInspectionLimit,
  };
}
