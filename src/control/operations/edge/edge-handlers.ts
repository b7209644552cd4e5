/** Operations on the edge settings of a zone. */
import { type ConfiguredOrigin, type EdgeSettings, isWithheldField } from '#firewall';
import { edgeCodes, type edgeOperations, fault, ok } from '#api';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { readEdgeSettings, setEdgeSettings } from '../../stores/edge-settings-store.ts';

export const edgeHandlers: Handlers<ZoneContext, typeof edgeOperations> = {
  'edge.get': ({ sql }) => ok(toSettingsJson(readEdgeSettings(sql))),

  'edge.update'(context, { body }) {
    const before = readEdgeSettings(context.sql);
    const { origin, over_inspection_limit: overInspectionLimit = before.overInspectionLimit } = body;
    const { forwarded_fields: given } = body;
    const after: EdgeSettings = {
      ...before,
      ...(given === undefined ? {} : { forwardedFields: checkForwardedFields(given) }),
      origin: origin === undefined ? before.origin : origin === null ? undefined : checkOrigin(origin),
      overInspectionLimit,
    };
    setEdgeSettings(context.sql, after);
    context.audit({
      resource: 'edge',
      id: context.zone.id,
      before: toSettingsJson(before),
      after: toSettingsJson(after),
    });
    return ok(toSettingsJson(after));
  },
};

interface GivenOrigin {
  readonly url: string;
  readonly connect_to?: string;
  readonly verify_tls?: boolean;
}

/** The edge decides which addresses it may connect to, because only the edge resolves them. */
function checkOrigin({ url, connect_to, verify_tls = true }: GivenOrigin): ConfiguredOrigin {
  const parsed = URL.parse(url);
  const reason = findOriginProblem(parsed);
  if (reason !== undefined || parsed === null) {
    throw fault(edgeCodes.originInvalid, { pointer: '/origin/url', fill: { reason: `${reason}: ${url}` } });
  }
  return {
    url: parsed.origin,
    verifyTls: verify_tls,
    ...(connect_to === undefined ? {} : { connectTo: connect_to }),
  };
}

function findOriginProblem(url: URL | null): string | undefined {
  if (url === null) return 'this is not a URL';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'the scheme must be http or https';
  if (url.username !== '' || url.password !== '') return 'there must be no user name or password';
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return 'there must be no path, query or fragment';
  return undefined;
}

/** Returns the names in lower case, each once. */
function checkForwardedFields(given: readonly string[]): readonly string[] {
  const names = given.map((name) => name.toLowerCase());
  const index = names.findIndex((name) => !isWithheldField(name));
  if (index >= 0) {
    throw fault(edgeCodes.forwardedFieldInvalid, {
      pointer: `/forwarded_fields/${index}`,
      fill: { reason: `${JSON.stringify(given[index])} is not withheld from origins` },
    });
  }
  return [...new Set(names)];
}

function toSettingsJson({ origin, overInspectionLimit, forwardedFields = [] }: EdgeSettings): object {
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
    forwarded_fields: forwardedFields,
  };
}
