/**
 * Field names and their roles on the wire. Roles decide what may be repeated, what is forwarded and what the edge
 * replaces.
 *
 * Two policies are defined here. Names that frame, route or identify may occur only once, because servers disagree on
 * which of two counts. And a name whose CGI spelling equals that of a reserved name (`X_Forwarded_For`,
 * `X.Forwarded.For`) is refused, while other punctuation is forwarded unchanged.
 */
import { isWithheldField } from '#firewall';

export type FieldRole =
  /** Forwarded, any number of times. */
  | 'plain'
  /** Forwarded, at most once. */
  | 'single'
  | 'host'
  | 'content-length'
  | 'transfer-encoding'
  | 'connection'
  | 'expect'
  | 'upgrade'
  /** For the next hop only: never forwarded. */
  | 'hop'
  /** Replaced by the edge: not trusted from a client, trusted from a trusted proxy. */
  | 'forwarded-for'
  | 'forwarded-proto'
  /** The same, but forwarded from trusted proxies only. */
  | 'forwarded'
  /** Always set by the edge. */
  | 'edge'
  /** States what only an edge can know: forwarded only for zones that ask for it; a judge may set it. */
  | 'claim'
  | 'loop'
  /** A name that frames, routes or is set by the edge if its punctuation is read as `-`: refused in requests. */
  | 'disguised';

export interface FieldName {
  readonly lower: string;
  readonly role: FieldRole;
}

const roles: Readonly<Partial<Record<FieldRole, readonly string[]>>> = {
  single: ['authorization', 'content-type', 'content-encoding', 'range', 'sec-websocket-key'],
  host: ['host'],
  'content-length': ['content-length'],
  'transfer-encoding': ['transfer-encoding'],
  connection: ['connection'],
  expect: ['expect'],
  upgrade: ['upgrade'],
  hop: ['keep-alive', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'http2-settings'],
  'forwarded-for': ['x-forwarded-for'],
  'forwarded-proto': ['x-forwarded-proto'],
  forwarded: [
    'forwarded',
    'x-forwarded-host',
    'x-forwarded-port',
    'x-forwarded-server',
    'x-forwarded-scheme',
  ],
  edge: ['cf-connecting-ip', 'cf-ray'],
  loop: ['cdn-loop'],
};

const roleOf: ReadonlyMap<string, FieldRole> = new Map(
  Object.entries(roles).flatMap(([role, names]) => names.map((name) => [name, role as FieldRole])),
);

/** Common names in their common spellings, looked up as whole strings. */
const commonNames = [
  'Accept Accept-Charset Accept-Encoding Accept-Language Access-Control-Request-Headers Access-Control-Request-Method',
  'Cache-Control Content-Disposition Content-Language Cookie DNT Date ETag From If-Match If-Modified-Since If-None-Match',
  'If-Range If-Unmodified-Since Last-Modified Location Max-Forwards Origin Pragma Priority Referer Sec-CH-UA',
  'Sec-CH-UA-Mobile Sec-CH-UA-Platform Sec-Fetch-Dest Sec-Fetch-Mode Sec-Fetch-Site Sec-Fetch-User Sec-GPC Server',
  'Sec-WebSocket-Extensions Sec-WebSocket-Protocol Sec-WebSocket-Version Set-Cookie Upgrade-Insecure-Requests User-Agent',
  'Vary Via X-CSRF-Token X-Requested-With Expires Age Strict-Transport-Security Content-Security-Policy Allow',
  'X-Content-Type-Options X-Frame-Options X-Powered-By Access-Control-Allow-Origin Accept-Ranges Content-Range Alt-Svc',
].flatMap((line) => line.split(' '));

/** A common name in one spelling. */
export interface CommonSpelling {
  readonly text: string;
  readonly name: FieldName;
}

const known: ReadonlyMap<string, CommonSpelling> = new Map(
  [...commonNames, ...roleOf.keys()].flatMap((name) => {
    const lower = name.toLowerCase();
    const titled = lower.replaceAll(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
    const field: FieldName = { lower, role: roleOf.get(lower) ?? 'plain' };
    return [name, lower, titled].map((text) => [text, { text, name: field }]);
  }),
);

/** Undefined for a rare spelling. */
export function findCommonSpelling(name: string): CommonSpelling | undefined {
  return known.get(name);
}

const notToken = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/;

export function isToken(text: string): boolean {
  return text !== '' && !notToken.test(text);
}

/** Undefined if it is not a valid name. */
export function findFieldName(name: string): FieldName | undefined {
  const common = known.get(name);
  if (common !== undefined) return common.name;
  if (!isToken(name)) return undefined;
  const lower = name.toLowerCase();
  const role = findReservedRole(lower);
  if (role !== undefined) return { lower, role };
  // Gateways to CGI write every other character as `_`, at least `-` and `_`.
  const spelled = notLetter.test(lower) ? findReservedRole(lower.replaceAll(/[^a-z0-9]/g, '-')) : undefined;
  if (spelled === undefined) return { lower, role: 'plain' };
  return { lower, role: spelled === 'claim' ? 'claim' : 'disguised' };
}

const notLetter = /[^a-z0-9-]/;

/** Proxies share this prefix, and new names keep appearing: `X-Forwarded-User`, `X-Forwarded-Prefix`. */
function findReservedRole(lower: string): FieldRole | undefined {
  const role = roleOf.get(lower) ?? (lower.startsWith('x-forwarded-') ? 'forwarded' : undefined);
  return role ?? (isWithheldField(lower) ? 'claim' : undefined);
}

/**
 * Whether `Connection` may name this request field, so that neither rules nor the origin see it. A request to drop a
 * field that routes, frames, identifies or is known to be meant for the origin is an attack.
 */
export function mayBeNamedByConnection(lower: string): boolean {
  const role = findReservedRole(lower.replaceAll(/[^a-z0-9]/g, '-'));
  if (role !== undefined) return role === 'hop' || role === 'upgrade';
  return !endToEnd.has(lower) && !endToEndPrefix.test(lower);
}

const endToEnd: ReadonlySet<string> = new Set(commonNames.map((name) => name.toLowerCase()));
const endToEndPrefix = /^(?:accept|access-control|cf|content|if|sec)-/;
