/** The fields of a request on the wire that rules see. The table below has those that only this server knows. */
import { randomBytes } from 'node:crypto';
import { parseClientAddress, type RequestFacts } from '#request';
import type { Value } from '#expressions';
import type { CompiledZone, ConfiguredZone } from '#firewall';
import { planCodes } from '#rulesets';
import type { IncomingRequest } from '../wire/exchange.ts';
import type { GeoFacts } from './geo.ts';
import { splitTarget } from './target-readings.ts';

/** The name of this installation in rules and events. */
export const siteName = 'LOCAL';

export interface FactsParts {
  readonly request: IncomingRequest;
  readonly zone: ConfiguredZone;
  /** The path as rules read it. */
  readonly path: string;
  /** The query as rules read it, if it differs from the received one; empty for none. */
  readonly query?: string | undefined;
  readonly body: ShownBody | undefined;
  readonly geo: GeoFacts;
  /** What the zone has learned about values, if rules use it. */
  readonly learned?: CompiledZone['learned'];
}

/** One reading of a body. */
interface ShownBody {
  readonly text: string;
  /** Size of the whole body as sent. */
  readonly size: number;
  readonly isTruncated: boolean;
}

export function createFacts({ request, zone, path, query, body, geo, learned }: FactsParts): RequestFacts {
  const { target, isSecure, host } = request;
  let seed: string | undefined;
  const received = splitTarget(target);
  const uri = {
    scheme: isSecure ? 'https' : 'http',
    authority: host,
    path: received.path,
    query: received.query,
  };
  return {
    method: request.method,
    version: `HTTP/${request.httpVersion}`,
    uri,
    path,
    query,
    headers: request.headers,
    body: body?.text ?? '',
    bodySize: body?.size ?? 0,
    isBodyTruncated: body?.isTruncated === true,
    ip: parseClientAddress(request.clientAddress),
    place: geo,
    receivedAtMs: request.receivedAtMs,
    response: noResponse,
    look: learned && ((...value) => learned.look(...value)),
    known: (key) => {
      // An explanation reads it again and must see the same value.
      if (key === 'cf.random_seed') return (seed ??= randomBytes(32).toString('latin1'));
      return readers.get(key)?.(request, zone) ?? geo.read(key);
    },
  };
}

const noResponse: RequestFacts['response'] = { status: undefined, headers: [] };

type FactReader = (request: IncomingRequest, zone: ConfiguredZone) => Value | undefined;

const readers: ReadonlyMap<string, FactReader> = new Map<string, FactReader>([
  ['http.host', ({ host }) => host],
  ['cf.ray_id', ({ id }) => id],
  ['cf.zone.name', (_, { name }) => name],
  ['cf.zone.plan', (_, { plan }) => planCodes[plan]],
  ['cf.colo.name', () => siteName],
  ['cf.edge.server_ip', ({ connection }) => parseClientAddress(connection.serverAddress)],
  ['cf.edge.server_port', ({ connection }) => connection.serverPort],
  ['cf.edge.client_port', ({ connection }) => connection.clientPort],
  ['cf.tls_version', ({ connection }) => connection.tls?.version],
  ['cf.tls_cipher', ({ connection }) => connection.tls?.cipher],
]);
