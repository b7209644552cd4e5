/** A request from a log or a recording. Text is *binary strings*, one character per byte. */
import { bytesOf } from '#text';
import type { RecordedAnswer } from '#firewall';
import type { RequestMessage } from '#request';

export interface RecordedRequest extends RequestMessage {
  /** Lower case, without a port. */
  readonly host: string;
  readonly isSecure: boolean;
  /** Empty if unknown. */
  readonly ip: string;
  readonly receivedAtMs: number;
  readonly body: Buffer | undefined;
  /** Whether the request had a body that was not recorded. */
  readonly isBodyMissing: boolean;
  /** Whether it had a session cookie or an Authorization header; undefined if its source does not contain that. */
  readonly isSignedIn: boolean | undefined;
  /** The status of its answer; absent if its source does not contain it. */
  readonly status?: number;
  /** The answers of external services that rules had called. */
  readonly asked: readonly RecordedAnswer[];
}

/** The result of parsing a line or entry: a request, or the reason why it is not one. */
export type ReadEntry = (
  | { readonly kind: 'request'; readonly request: RecordedRequest }
  | { readonly kind: 'unreadable'; readonly reason: string }
) & {
  /** Its place in its file: `line 12`. */
  readonly at?: string;
  /** The expected outcome, if the file contains it. */
  readonly expected?: 'pass' | 'block';
};

/** The parts that a source knows, as Unicode text. */
export interface RequestParts {
  readonly method: string;
  /** An absolute URL, or a path with a query. */
  readonly url: string;
  readonly version?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly ip?: string;
  readonly receivedAtMs: number;
  readonly body?: Buffer;
  readonly isBodyMissing?: boolean;
  readonly isSignedIn?: boolean;
  readonly status?: number | undefined;
  readonly asked?: readonly RecordedAnswer[];
}

/** For values that a source does not contain. */
export interface RequestDefaults {
  readonly host: string;
  /** Replaces the host of every request. */
  readonly hostOverride: string | undefined;
  readonly ip: string;
}

export function toRecordedRequest(parts: RequestParts, defaults: RequestDefaults): ReadEntry {
  const { method, url } = parts;
  if (!/^[!#$%&'*+.^`|~\w-]{1,32}$/.test(method)) return unreadable('there is no method');
  const [, scheme, authority, rest = ''] = /^(?:(https?|wss?):\/\/([^/?#]*))?([^#]*)/i.exec(url) ?? [];
  const target = rest.startsWith('/') ? rest : `/${rest}`;
  if (rest === '' && authority === undefined) return unreadable('there is no path');
  // oxlint-disable-next-line no-control-regex -- they cannot stand in a request line
  if (/[\u0000-\u0020\u007f]/.test(target)) return unreadable('the path has a space or a control character');
  const given = (parts.headers ?? []).filter(([name]) => /^[!#$%&'*+.^`|~\w-]+$/.test(name));
  const named = authority ?? given.find(([name]) => name.toLowerCase() === 'host')?.[1];
  const host = defaults.hostOverride ?? toHostName(named) ?? defaults.host;
  const headers = given
    .filter(([name]) => name.toLowerCase() !== 'host')
    .map(([name, value]) => [bytesOf(name), bytesOf(value.replaceAll(/[\0\r\n]/g, ' '))] as const);
  const { body, isBodyMissing = false, ip, receivedAtMs, version } = parts;
  const request: RecordedRequest = {
    method,
    target: bytesOf(target),
    host,
    isSecure: scheme === undefined || /^(?:https|wss)$/i.test(scheme),
    httpVersion: readVersion(version),
    headers: [['Host', host], ...headers],
    ip: ip === undefined || ip === '' ? defaults.ip : ip,
    receivedAtMs,
    body,
    isBodyMissing,
    isSignedIn: parts.isSignedIn,
    ...(parts.status === undefined ? {} : { status: parts.status }),
    asked: parts.asked ?? [],
  };
  return { kind: 'request', request };
}

export function unreadable(reason: string): ReadEntry {
  return { kind: 'unreadable', reason };
}

function toHostName(authority: string | undefined): string | undefined {
  if (authority === undefined || authority === '') return undefined;
  return authority
    .replace(/^.*@/, '')
    .replace(/:\d{0,5}$/, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

function readVersion(version = ''): RecordedRequest['httpVersion'] {
  if (/^(?:HTTP\/)?1\.0$/i.test(version)) return '1.0';
  return /^(?:HTTP\/(?:2|3)|h2|h3)/i.test(version) ? '2' : '1.1';
}
