/**
 * The fields of requests and responses that rules may write. Fields that frame a message, route it or identify its
 * sender belong to the edge; a spelling that some servers read as one of them counts as that field.
 */
import { bytesOf, lowerAscii } from '#text';
import { headerValueBytesMax } from '../limits.ts';

/** Fields of the connection: the edge writes them itself, for each side. */
const framing: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Fields in which the edge describes the client and the route to the origin. */
const identifying: ReadonlySet<string> = new Set(['cdn-loop', 'x-forwarded-for', 'x-forwarded-proto']);

const token = /^[A-Za-z0-9_-]+$/;

/** The problem with a name, as the end of a sentence. */
export function checkHeaderName(name: string, operation: string, phase: string): string | undefined {
  if (!token.test(name)) return 'its name must have only letters, digits, - and _';
  const lower = lowerAscii(name).replaceAll('_', '-');
  if (framing.has(lower)) return 'the edge writes this field for each connection';
  if (/^(?:x-)?cf-/.test(lower) || identifying.has(lower)) return 'the edge sets this field itself';
  if (phase === 'http_response_headers_transform')
    return lower === 'content-encoding'
      ? 'it says how the body is encoded, which no rule changes'
      : undefined;
  if (lower === 'host') return 'use a rule of the phase http_request_origin for it';
  return lower === 'cookie' && operation !== 'remove' ? 'it can only be removed' : undefined;
}

export function checkHeaderValue(value: string): string | undefined {
  const bytes = bytesOf(value);
  if (bytes.length > headerValueBytesMax) return `it is longer than ${headerValueBytesMax} bytes`;
  return isHeaderValue(bytes) ? undefined : 'it must have no line ends and other control characters';
}

// oxlint-disable-next-line no-control-regex -- they cannot stand in a field
const control = /[\0-\x08\n-\x1f\x7f]/;

/** Whether the bytes can be sent as the value of a field. */
export function isHeaderValue(bytes: string): boolean {
  return bytes.length <= headerValueBytesMax && !control.test(bytes);
}
