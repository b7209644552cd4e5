/**
 * A line of an access log in the common or combined format of Apache and nginx, with or without a name and port of the
 * virtual host at its start. Fields after the user agent are ignored.
 *
 * `203.0.113.9 - - [10/Oct/2026:13:55:36 +0000] "GET /a?b=c HTTP/1.1" 200 2326 "https://example.com/" "Mozilla/5.0"`
 */
import { parseIp } from '#addresses';
import { type ReadEntry, type RequestDefaults, toRecordedRequest, unreadable } from './recorded-request.ts';

const quoted = String.raw`"((?:[^"\\]|\\.)*)"`;
const line = new RegExp(
  String.raw`^(\S+ \S+ [^\[]+)\[([^\]]+)\] ${quoted} (\d{3}|-) (?:\d+|-)(?: ${quoted}(?: ${quoted})?)?`,
);
const time = /^(\d{2})\/(\w{3})\/(\d{4}):(\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})$/;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Methods whose requests usually have a body, which access logs do not contain. */
const withBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

export function isAccessLogLine(text: string): boolean {
  return line.test(text);
}

export function readAccessLogLine(text: string, defaults: RequestDefaults): ReadEntry {
  const match = line.exec(text);
  if (match === null) return unreadable('it is not a line of the common or combined format');
  const [, start, written, requestLine, status, referer, userAgent] = match;
  const { virtualHost, ip } = readStart(start!);
  const receivedAtMs = readTime(written!);
  if (receivedAtMs === undefined) return unreadable(`its time cannot be read: ${written!.slice(0, 40)}`);
  const [, method, url, version] = /^(\S+) (\S+)(?: (HTTP\/[\d.]+))?$/.exec(decode(requestLine!)) ?? [];
  if (method === undefined) return unreadable('it has no request line');
  const headers = [
    ['Host', virtualHost],
    ['User-Agent', userAgent],
    ['Referer', referer],
  ].flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '-' || value === '' ? [] : [[name!, decode(value)]],
  );
  return toRecordedRequest(
    {
      method,
      url: url!,
      ...(version === undefined ? {} : { version }),
      headers,
      ip,
      receivedAtMs,
      isBodyMissing: withBody.has(method),
      status: status === '-' ? undefined : Number(status),
    },
    defaults,
  );
}

/**
 * The address is the first word, or the second after a name. Without an address, the first word identifies the client.
 */
function readStart(start: string): { readonly virtualHost?: string; readonly ip: string } {
  const [first = '', second = ''] = start.split(' ');
  if (parseIp(first) !== undefined) return { ip: first };
  if (parseIp(second) !== undefined) return { virtualHost: first, ip: second };
  return { ip: '' };
}

function readTime(text: string): number | undefined {
  const [, day, month, year, clock, hours, minutes] = time.exec(text) ?? [];
  const number = months.indexOf(month ?? '') + 1;
  if (number === 0) return undefined;
  const ms = Date.parse(`${year}-${String(number).padStart(2, '0')}-${day}T${clock}${hours}:${minutes}`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Apache and nginx escape quotes and unprintable bytes as `\"` and `\x1b`. */
function decode(text: string): string {
  if (!text.includes('\\')) return text;
  return text
    .replaceAll(/(?:\\x[0-9a-f]{2})+/gi, (bytes) =>
      Buffer.from(bytes.replaceAll(/\\x/gi, ''), 'hex').toString('utf8'),
    )
    .replaceAll(/\\(.)/g, '$1');
}
