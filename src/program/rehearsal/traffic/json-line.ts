/**
 * A line of JSON that describes a request: a recorded request, a line of the edge's access log, or an exported event of
 * the activity log.
 *
 * `{"method": "POST", "url": "https://shop.example/login", "body": "a=b", "time": "2026-01-31T12:00:00Z"}`
 *
 * `headers` is an object or a list of pairs, `body_base64` is for binary bodies. Only `url` is required.
 */
import { isObject } from '#base';
import { isSignedIn } from '#text';
import { readAnsweredAction, type RecordedAnswer } from '#firewall';
import { type ReadEntry, type RequestDefaults, toRecordedRequest, unreadable } from './recorded-request.ts';

type Line = Readonly<Record<string, unknown>>;

export function readJsonLine(text: string, defaults: RequestDefaults): ReadEntry {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return unreadable('it is not JSON');
  }
  if (!isObject(line)) return unreadable('it is not a JSON object');
  if (typeof line['clientRequestPath'] === 'string') return readEvent(line, defaults);
  if (typeof line['target'] === 'string') return readAccessLine(line, defaults);
  return readRequest(line, defaults);
}

function readRequest(line: Line, defaults: RequestDefaults): ReadEntry {
  const { url, method = 'GET', version, ip, time, body, body_base64 } = line;
  if (typeof url !== 'string') return unreadable('it has no url');
  if (typeof method !== 'string') return unreadable('its method is not a string');
  const receivedAtMs = typeof time === 'string' ? Date.parse(time) : Number(time ?? 0);
  if (Number.isNaN(receivedAtMs)) return unreadable('its time cannot be read');
  const bytes =
    typeof body_base64 === 'string'
      ? Buffer.from(body_base64, 'base64')
      : typeof body === 'string'
        ? Buffer.from(body)
        : undefined;
  const headers = readHeaders(line['headers']);
  return toRecordedRequest(
    {
      method,
      url,
      headers,
      isBodyMissing: line['body_truncated'] === true || (bytes === undefined && headers.some(isAboutBody)),
      isSignedIn: isSignedIn(headers),
      asked: readAnswers(line['asked']),
      receivedAtMs,
      status: readStatus(line),
      ...(typeof version === 'string' ? { version } : {}),
      ...(typeof ip === 'string' ? { ip } : {}),
      ...(bytes === undefined ? {} : { body: bytes }),
    },
    defaults,
  );
}

function readStatus({ status }: Line): number | undefined {
  return typeof status === 'number' ? status : undefined;
}

function isAboutBody([name, value]: readonly [string, string]): boolean {
  return /^transfer-encoding$/i.test(name) || (/^content-length$/i.test(name) && Number(value) > 0);
}

function readHeaders(headers: unknown): (readonly [string, string])[] {
  const pairs: readonly unknown[] = Array.isArray(headers) ? headers : Object.entries(Object(headers));
  return pairs.flatMap((pair): (readonly [string, string])[] => {
    const [name, values] = (Array.isArray(pair) ? pair : []) as [unknown, unknown];
    if (typeof name !== 'string') return [];
    return [values].flat().flatMap((value) => (typeof value === 'string' ? [[name, value] as const] : []));
  });
}

/** Invalid answers count as not recorded. */
function readAnswers(asked: unknown): readonly RecordedAnswer[] {
  return (Array.isArray(asked) ? asked : []).flatMap((answer: unknown): RecordedAnswer[] => {
    if (!isObject(answer)) return [];
    const { ref, status, action } = answer;
    if (typeof ref !== 'string' || !Number.isInteger(status)) return [];
    const known = readAnsweredAction(String(action));
    return [{ ref, status: status as number, ...(known === undefined ? {} : { action: known }) }];
  });
}

/** The edge logs neither bodies nor other headers. */
function readAccessLine(line: Line, defaults: RequestDefaults): ReadEntry {
  const read = (name: string): string => (typeof line[name] === 'string' ? line[name] : '');
  const receivedAtMs = Date.parse(read('time'));
  if (Number.isNaN(receivedAtMs)) return unreadable('its time cannot be read');
  const [method, host] = [read('method'), read('host') || defaults.host];
  const fields: [string, string][] = [
    ['User-Agent', read('user_agent')],
    ['Referer', read('referer')],
  ];
  return toRecordedRequest(
    {
      method,
      url: `${read('scheme') || 'https'}://${host}${read('target')}`,
      version: read('protocol'),
      headers: fields.filter(([, value]) => value !== ''),
      ip: read('client'),
      receivedAtMs,
      isBodyMissing: isUsuallyWithBody(method),
      status: readStatus(line),
      asked: readAnswers(line['asked']),
      ...(typeof line['signed_in'] === 'boolean' ? { isSignedIn: line['signed_in'] } : {}),
    },
    defaults,
  );
}

function isUsuallyWithBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

/** An event contains neither the body nor most headers. */
function readEvent(event: Line, defaults: RequestDefaults): ReadEntry {
  const read = (name: string): string => (typeof event[name] === 'string' ? event[name] : '');
  const query = read('clientRequestQuery').replace(/^\??/, '?');
  const scheme = read('clientRequestScheme') || 'https';
  const host = read('clientRequestHTTPHost') || defaults.host;
  const method = read('clientRequestHTTPMethodName') || 'GET';
  const referer = read('clientRefererHost');
  const headers: [string, string][] = [];
  if (read('userAgent') !== '') headers.push(['User-Agent', read('userAgent')]);
  if (referer !== '') {
    headers.push([
      'Referer',
      `${read('clientRefererScheme')}://${referer}${read('clientRefererPath')}${read('clientRefererQuery')}`,
    ]);
  }
  const receivedAtMs = Date.parse(read('datetime'));
  return toRecordedRequest(
    {
      method,
      url: `${scheme}://${host}${read('clientRequestPath')}${query === '?' ? '' : query}`,
      version: read('clientRequestHTTPProtocol'),
      headers,
      ip: read('clientIP'),
      receivedAtMs: Number.isNaN(receivedAtMs) ? 0 : receivedAtMs,
      isBodyMissing: isUsuallyWithBody(method),
    },
    defaults,
  );
}
