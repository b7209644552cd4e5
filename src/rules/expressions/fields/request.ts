/** The request line and the headers. */
import { boolType, bytesType, intType } from '../types.ts';
import { bytesArrayType, defineFields, deprecate, createMapRows, multiMapType } from './define.ts';

const current = defineFields({ filledBy: 'proxy' }, [
  ['http.host', bytesType, 'The host that the client requested, before origin rules.'],
  ['http.request.method', bytesType, 'The method, in upper case.'],
  ['http.request.version', bytesType, 'HTTP/1.0, HTTP/1.1, HTTP/2 or HTTP/3.'],
  ['http.request.full_uri', bytesType, 'Scheme, host, path and query, without fragment.'],
  ['http.request.uri', bytesType, 'Path and query, normalised and after earlier rewrites.'],
  ['http.request.uri.path', bytesType, 'The path, normalised and after earlier rewrites.'],
  [
    'http.request.uri.path.extension',
    bytesType,
    'The part after the last dot of the last segment, in lower case.',
  ],
  ['http.request.uri.query', bytesType, 'The query without its question mark.'],
  ...createMapRows('http.request.uri.args', 'Arguments of the query, not decoded'),
  ['http.request.headers', multiMapType, 'Headers by name in lower case.'],
  ['http.request.headers.names', bytesArrayType, 'Names of headers as the client wrote them, in order.'],
  ['http.request.headers.values', bytesArrayType, 'Values of headers, in the order of their names.'],
  ['http.request.headers.truncated', boolType, 'Whether there were more headers than are kept.'],
  ['http.request.cookies', multiMapType, 'Values of cookies as sent, by name.'],
  ['http.cookie', bytesType, 'The whole Cookie header.'],
  ['http.referer', bytesType, 'The Referer header.'],
  ['http.user_agent', bytesType, 'The User-Agent header.'],
  ['http.x_forwarded_for', bytesType, 'The X-Forwarded-For header.'],
  ['http.request.accepted_languages', bytesArrayType, 'Languages of Accept-Language, best first, without *.'],
  ['http.request.timestamp.sec', intType, 'When the request arrived, in seconds since 1970.'],
  ['http.request.timestamp.msec', intType, 'The milliseconds of that second.'],
  ['ssl', boolType, 'Whether the connection of the client is encrypted.'],
]);

const raw = defineFields({ filledBy: 'proxy' }, [
  ['raw.http.request.full_uri', bytesType, 'The full URI as received.'],
  ['raw.http.request.uri', bytesType, 'Path and query as received.'],
  ['raw.http.request.uri.path', bytesType, 'The path as received.'],
  ['raw.http.request.uri.path.extension', bytesType, 'The extension of the path as received.'],
  ['raw.http.request.uri.query', bytesType, 'The query as received.'],
  ...createMapRows('raw.http.request.uri.args', 'Arguments of the query as received'),
  ...createMapRows('raw.http.request.headers', 'Headers as received'),
]);

const tokens = defineFields({ filledBy: 'proxy' }, [
  ...['aud', 'iss', 'jti', 'sub'].flatMap((claim) =>
    createMapRows(`http.request.jwt.claims.${claim}`, `The claim ${claim} of tokens, by token configuration`),
  ),
  ...['iat', 'nbf'].flatMap((claim) =>
    createMapRows(
      `http.request.jwt.claims.${claim}.sec`,
      `The claim ${claim} of tokens, by token configuration`,
      intType,
    ),
  ),
]);

const version = current.find(({ name }) => name === 'http.request.version')!;

export const requestFields = [...current, ...raw, ...tokens, deprecate('http.version', version)];
