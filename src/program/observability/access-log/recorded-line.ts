/**
 * A request as a line that `gatehouse migrate rehearse` replays: with all header fields and the start of its body, and
 * masked secrets (mask-secrets.ts). Credentials and cookies are masked, as well as values in the query and the body
 * whose names suggest a secret. Secrets that cannot be recognised are recorded: such a file is as confidential as the
 * traffic.
 *
 * A compressed body is omitted, because its secrets could not be found.
 */
import { isUtf8 } from 'node:buffer';
import { Changes, visitCookies } from '#text';
import type { HeaderField, RecordedBody, RequestRecord } from '#edge';
import { recordedHeaderMax, recordedHeadersMax, textMax } from './limits.ts';
import { maskBody, maskParameters, maskText } from './mask-secrets.ts';

const secretFields =
  /^(?:(?:proxy-)?authorization|(?:x-)?(?:.*-)?(?:api-?key|auth|token|secret|password|session|signature|jwt|csrf)(?:-.*)?)$/i;

/** Empty for input that could not be parsed as a request. */
export function formatRecordedLine(
  { id, receivedAtMs, request, body, asked }: RequestRecord,
  { withQuery }: { readonly withQuery: boolean },
): string {
  if (request === undefined) return '';
  const { method, target, host, isSecure, httpVersion, clientAddress } = request;
  const line = {
    time: new Date(receivedAtMs).toISOString(),
    id,
    ip: clientAddress,
    method: method.slice(0, textMax.method),
    url: toText(`${isSecure ? 'https' : 'http'}://${host}${maskTarget(target, withQuery)}`),
    version: `HTTP/${httpVersion}`,
    headers: request.headers.slice(0, recordedHeadersMax).map(maskField),
    ...(asked === undefined ? {} : { asked }),
    ...(withQuery && body !== undefined ? writeBody(body, request.headers) : {}),
  };
  return `${JSON.stringify(line).replace(/[\u007f-\uffff]/g, escapeCharacter)}\n`;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function maskTarget(target: string, withQuery: boolean): string {
  const cut = target.slice(0, textMax.target);
  const question = cut.indexOf('?');
  if (question < 0) return cut;
  if (!withQuery) return cut.slice(0, question);
  const query = maskParameters(cut.slice(question + 1));
  return `${cut.slice(0, question)}?${query}`;
}

function maskField([name, value]: HeaderField): readonly [string, string] {
  const cut = value.slice(0, recordedHeaderMax);
  if (/^cookie$/i.test(name)) return [name, toText(maskCookies(cut))];
  return [toText(name), toText(secretFields.test(name) ? maskText(cut) : cut)];
}

/** Names of cookies reveal nothing about their owner; a cookie without one is a value. */
function maskCookies(cookies: string): string {
  const changes = new Changes(cookies);
  visitCookies(cookies, (start, nameEnd, valueStart, end) => {
    const from = nameEnd === valueStart ? start : valueStart;
    changes.replace(from, end, maskText(cookies.slice(from, end)));
  });
  return changes.result;
}

/** As text if it is text. A truncated body is marked, so that a replay knows that it is incomplete. */
function writeBody({ bytes, isWhole }: RecordedBody, headers: readonly HeaderField[]): object {
  const encoding = findHeader(headers, 'content-encoding');
  if (encoding !== '' && !/^identity$/i.test(encoding)) return {};
  const masked = Buffer.from(
    maskBody(bytes.toString('latin1'), findHeader(headers, 'content-type')),
    'latin1',
  );
  return {
    ...(isUtf8(masked) ? { body: masked.toString('utf8') } : { body_base64: masked.toString('base64') }),
    ...(isWhole ? {} : { body_truncated: true }),
  };
}

function findHeader(headers: readonly HeaderField[], wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
}

function toText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
