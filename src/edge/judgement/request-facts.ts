/** What rules see of a request on the wire. */
import { bodyBytesMax, clientAddress, type RequestFacts, type Value } from '#rules';
import type { ConfiguredZone } from '#firewall';
import type { IncomingRequest, InspectedBody } from '../wire/exchange.ts';
import type { GeoFacts } from './geo.ts';

/** As `cf.zone.plan` names them. */
const planNames = { free: 'FREE', pro: 'PRO', business: 'BIZ', enterprise: 'ENT' } as const;

export interface FactsParts {
  readonly request: IncomingRequest;
  readonly zone: ConfiguredZone;
  readonly body: InspectedBody | undefined;
  readonly geo: GeoFacts;
}

export function factsOf({ request, zone, body, geo }: FactsParts): RequestFacts {
  const { target, isSecure, host } = request;
  const question = target.indexOf('?');
  const bytes = body?.bytes.toString('latin1', 0, bodyBytesMax) ?? '';
  return {
    method: request.method,
    version: `HTTP/${request.httpVersion}`,
    uri: {
      scheme: isSecure ? 'https' : 'http',
      authority: host,
      path: question < 0 ? target : target.slice(0, question),
      query: question < 0 ? undefined : target.slice(question + 1),
    },
    headers: request.headers,
    body: bytes,
    bodySize: body?.declaredLength ?? body?.bytes.length ?? 0,
    isBodyTruncated: body !== undefined && (body.isTruncated || body.bytes.length > bodyBytesMax),
    ip: clientAddress(request.clientAddress),
    country: geo.country,
    asn: geo.asn,
    receivedAtMs: request.receivedAtMs,
    response: { status: undefined, headers: [] },
    known: (key) => readers.get(key)?.(request, zone) ?? geo.read(key),
  };
}

type Reader = (request: IncomingRequest, zone: ConfiguredZone) => Value | undefined;

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['http.host', ({ host }) => host],
  ['cf.ray_id', ({ id }) => id],
  ['cf.zone.name', (_, { name }) => name],
  ['cf.zone.plan', (_, { plan }) => planNames[plan]],
]);
