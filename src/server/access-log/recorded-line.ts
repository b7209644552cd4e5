/**
 * A request as a line that `gatehouse migrate rehearse` replays: with all header fields, secrets masked, without its body.
 *
 * Of a masked text, letters become `x` and digits `0`; other characters stay, so that its length and form are still what
 * rules saw. Masked are credentials and cookies, and parameters of the query whose names sound like secrets. What cannot be
 * recognised as a secret is recorded: such a file is as confidential as the traffic.
 */
import type { HeaderField, RequestRecord } from '#edge';
import { recordedHeaderMax, recordedHeadersMax, textMax } from './limits.ts';

const secretFields =
  /^(?:(?:proxy-)?authorization|(?:x-)?(?:.*-)?(?:api-?key|auth|token|secret|password|session|signature|jwt|csrf)(?:-.*)?)$/i;
const secretParameters = /pass|pwd|secret|token|key|auth|session|sid|code|sig/i;

/** Empty for what could not be read as a request. */
export function formatRecordedLine(
  { id, receivedAtMs, request }: RequestRecord,
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
  const query = cut
    .slice(question + 1)
    .replaceAll(/([^=&]*)=([^&]*)/g, (whole, name: string, value: string) =>
      secretParameters.test(name) ? `${name}=${mask(value)}` : whole,
    );
  return `${cut.slice(0, question)}?${query}`;
}

function maskField([name, value]: HeaderField): readonly [string, string] {
  const cut = value.slice(0, recordedHeaderMax);
  if (/^cookie$/i.test(name)) return [name, toText(maskCookies(cut))];
  return [toText(name), toText(secretFields.test(name) ? mask(cut) : cut)];
}

/** The names of cookies say nothing about their owner. */
function maskCookies(cookies: string): string {
  return cookies.replaceAll(/(^|;)([^=;]*=?)([^;]*)/g, (_, start: string, name: string, value: string) =>
    name.endsWith('=') ? `${start}${name}${mask(value)}` : `${start}${mask(name)}`,
  );
}

function mask(text: string): string {
  return text.replaceAll(/[A-Za-z\u0080-\u00ff]/g, 'x').replaceAll(/\d/g, '0');
}

function toText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
