/**
 * The destination of a job's records, as one text in Cloudflare's notation:
 *
 * - `https://logs.example/in?header_Authorization=Bearer%20x`: Cloudflare's HTTP destination. Parameters with the
 *   prefix `header_` are fields of each request; the rest of the query stays.
 * - `syslog+tls://siem.example:6514` and `syslog+tcp://…:514`: ours. `insecure-skip-verify=true` accepts any
 *   certificate.
 * - `file:///shop.ndjson?megabytes=64&files=5`: ours. A name, not a path: the file is in `logpush-files` of the data
 *   directory.
 *
 * The values of fields are secrets: they are shown as asterisks. A destination that is sent back with asterisks keeps
 * the stored values, if it names the same server and does not start to accept invalid certificates.
 */
import { destinationCharactersMax, fileDefaults, fileMegabytesMax, filesKeptMax } from './limits.ts';

export type Destination =
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly isVerified: boolean;
    }
  | {
      readonly kind: 'syslog';
      readonly host: string;
      readonly port: number;
      readonly isSecure: boolean;
      readonly isVerified: boolean;
    }
  | { readonly kind: 'file'; readonly name: string; readonly bytesMax: number; readonly filesKept: number };

type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

const hidden = '********';
const headerParameter = /^header_([A-Za-z0-9-]+)=(.*)$/;
/** They frame the request, or the program sets them. */
const ownFields = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const defaultPorts: Readonly<Record<string, number>> = { 'syslog+tcp:': 514, 'syslog+tls:': 6514 };

export function parseDestination(text: string): Parsed<Destination> {
  if (text.length > destinationCharactersMax)
    return refuse(`must have at most ${destinationCharactersMax} characters`);
  const url = URL.parse(text);
  if (url === null) return refuse('must be a URL, such as https://logs.example/in');
  if (url.username !== '' || url.password !== '')
    return refuse('must have no name and password: send them as header_Authorization=Basic%20…');
  switch (url.protocol) {
    case 'https:':
    case 'http:':
      return parseHttp(text);
    case 'syslog+tcp:':
    case 'syslog+tls:':
      return parseSyslog(url);
    case 'file:':
      return parseFile(url);
    default:
      return refuse(
        `${url.protocol}// is not sent to from here: use https://, http://, syslog+tls://, syslog+tcp:// or file:///`,
      );
  }
}

/** The displayable form, without the values of fields. */
export function hideSecrets(text: string): string {
  return text.replaceAll(/([?&]header_[A-Za-z0-9-]+=)[^&#]+/g, `$1${hidden}`);
}

/** Replaces the asterisks in a destination that was shown before and is sent back. */
export function restoreSecrets(text: string, stored: string | undefined): Parsed<string> {
  if (!text.includes(hidden)) return { ok: true, value: text };
  const mayKeep = stored !== undefined && !isWeaker(text, stored) && isSameServer(text, stored);
  const known = new Map(
    mayKeep ? Array.from(stored.matchAll(/[?&](header_[A-Za-z0-9-]+)=([^&#]+)/g), (m) => [m[1]!, m[2]!]) : [],
  );
  let missing: string | undefined;
  const value = text.replaceAll(/([?&])(header_[A-Za-z0-9-]+)=\*{8}(?=[&#]|$)/g, (_, mark, name: string) => {
    const secret = known.get(name);
    if (secret === undefined) missing = name;
    return `${mark}${name}=${secret ?? ''}`;
  });
  if (missing === undefined) return { ok: true, value };
  const reason =
    stored !== undefined && isWeaker(text, stored)
      ? ': with insecure-skip-verify=true, a stored value could be sent to any server that answers in its place'
      : '';
  return refuse(`the value of ${missing} is required${reason}`);
}

function isSameServer(text: string, stored: string): boolean {
  return URL.canParse(text) && new URL(text).origin === new URL(stored).origin;
}

/** Whether it accepts any certificate, and the stored one did not. */
function isWeaker(text: string, stored: string): boolean {
  return !isVerified(text) && isVerified(stored);
}

function isVerified(text: string): boolean {
  const parsed = parseDestination(text);
  return !parsed.ok || parsed.value.kind === 'file' || parsed.value.isVerified;
}

/** Parses the text itself, so that `hideSecrets` finds exactly what is sent. */
function parseHttp(text: string): Parsed<Destination> {
  const [beforeFragment] = text.split('#', 1) as [string];
  const question = beforeFragment.indexOf('?');
  const base = question < 0 ? beforeFragment : beforeFragment.slice(0, question);
  const parameters = question < 0 ? [] : beforeFragment.slice(question + 1).split('&');
  const headers: Record<string, string> = {};
  const rest: string[] = [];
  let isVerified = true;
  for (const parameter of parameters) {
    const header = headerParameter.exec(parameter);
    if (header !== null) {
      const [, name, raw] = header as unknown as [string, string, string];
      const value = decode(raw);
      if (ownFields.has(name.toLowerCase())) return refuse(`header_${name}: this field is set by Gatehouse`);
      if (value === undefined || !/^[\x20-\x7e]+$/.test(value))
        return refuse(`header_${name}: must be printable ASCII, with %20 for a space`);
      headers[name] = value;
    } else if (/^insecure-skip-verify=(?:true|false)$/.test(parameter)) {
      isVerified = parameter.endsWith('false');
    } else if (parameter !== '') rest.push(parameter);
  }
  const url = rest.length === 0 ? base : `${base}?${rest.join('&')}`;
  return { ok: true, value: { kind: 'http', url, headers, isVerified } };
}

function parseSyslog(url: URL): Parsed<Destination> {
  const { hostname: host, port, protocol, searchParams } = url;
  if (host === '') return refuse('must name a server, such as syslog+tls://siem.example:6514');
  const unknown = findUnknown(searchParams, ['insecure-skip-verify']);
  if (unknown !== undefined) return refuse(`${unknown}: syslog has no such option`);
  return {
    ok: true,
    value: {
      kind: 'syslog',
      host,
      port: port === '' ? defaultPorts[protocol]! : Number(port),
      isSecure: protocol === 'syslog+tls:',
      isVerified: searchParams.get('insecure-skip-verify') !== 'true',
    },
  };
}

function parseFile({ host, pathname, searchParams }: URL): Parsed<Destination> {
  const name = pathname.slice(1);
  if (host !== '' || !/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name))
    return refuse('must be file:/// and a name of letters, digits, dots, dashes and underscores');
  const unknown = findUnknown(searchParams, ['megabytes', 'files']);
  if (unknown !== undefined) return refuse(`${unknown}: files have no such option`);
  const megabytes = Number(searchParams.get('megabytes') ?? fileDefaults.megabytes);
  const files = Number(searchParams.get('files') ?? fileDefaults.files);
  if (!isWithin(megabytes, 1, fileMegabytesMax))
    return refuse(`megabytes: must be a whole number from 1 to ${fileMegabytesMax}`);
  if (!isWithin(files, 0, filesKeptMax))
    return refuse(`files: must be a whole number from 0 to ${filesKeptMax}`);
  return { ok: true, value: { kind: 'file', name, bytesMax: megabytes * 1024 * 1024, filesKept: files } };
}

function findUnknown(given: URLSearchParams, known: readonly string[]): string | undefined {
  return [...given.keys()].find((name) => !known.includes(name));
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function refuse(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}
