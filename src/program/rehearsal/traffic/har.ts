/** The requests of an HTTP archive, in the format of browsers and proxies. */
import { RehearsalError } from '../rehearsal-error.ts';
import { type ReadEntry, type RequestDefaults, toRecordedRequest, unreadable } from './recorded-request.ts';

type Fields = Readonly<Record<string, unknown>>;

export function readHar(text: string, file: string): readonly unknown[] {
  let archive: unknown;
  try {
    archive = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new RehearsalError(`${file} is not an HTTP archive: ${(error as Error).message}`, { cause: error });
  }
  const { entries } = toFields(toFields(archive)['log']);
  if (Array.isArray(entries)) return entries;
  throw new RehearsalError(`${file} is not an HTTP archive: log.entries is missing`);
}

export function readHarEntry(entry: unknown, defaults: RequestDefaults): ReadEntry {
  const { request: given, response, startedDateTime } = toFields(entry);
  const { status } = toFields(response);
  const { method, url, httpVersion, headers, postData } = toFields(given);
  if (typeof method !== 'string' || typeof url !== 'string')
    return unreadable('its request has no method or url');
  if (!/^(?:https?|wss?):\/\//i.test(url)) return unreadable('its request was not sent over HTTP');
  const time = typeof startedDateTime === 'string' ? Date.parse(startedDateTime) : Number.NaN;
  const pairs = readPairs(headers);
  const body = readBody(toFields(postData));
  const declared = Number(pairs.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? 0);
  return toRecordedRequest(
    {
      method,
      url,
      ...(typeof httpVersion === 'string' ? { version: httpVersion } : {}),
      headers: pairs,
      receivedAtMs: Number.isNaN(time) ? 0 : time,
      ...(body === undefined ? {} : { body }),
      isBodyMissing: body === undefined && declared > 0,
      status: typeof status === 'number' ? status : undefined,
    },
    defaults,
  );
}

function toFields(value: unknown): Fields {
  return Object(value) as Fields;
}

/** Names with a leading colon are the request line of HTTP/2. */
function readPairs(list: unknown): (readonly [string, string])[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown): (readonly [string, string])[] => {
    const { name, value } = toFields(item);
    if (typeof name !== 'string' || typeof value !== 'string' || name.startsWith(':')) return [];
    return [[name, value]];
  });
}

function readBody(postData: Fields): Buffer | undefined {
  const { text, params, encoding } = postData;
  if (typeof text === 'string' && text !== '')
    return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
  if (!Array.isArray(params) || params.length === 0) return undefined;
  return Buffer.from(new URLSearchParams(readPairs(params).map(([name, value]) => [name, value])).toString());
}
