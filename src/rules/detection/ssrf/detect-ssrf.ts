/**
 * Addresses that a server must not fetch for a visitor: the metadata service of clouds, this host in an obfuscated
 * spelling, schemes that talk to other servers. Native applications receive responses at a plain
 * `http://localhost:3000/`, so by itself that address is only logged.
 */
import { parseIp, removeMapping } from '#addresses';
import type { Detector, DetectorReading } from '../finding.ts';

const address =
  /^["'\s\0]*(?:url[:=])?((?:[a-z][a-z0-9+.-]{1,20}):)?[/\\]{2,4}(?:[^/\\?#\s@]{0,200}@)?(\[[0-9a-f:.%]{2,60}\]|[^/\\?#\0-\x20:]{1,255})(?::(\d{1,5}))?/i;
const foreignScheme =
  /^["'\s]*(?:gopher|dict|ldaps?|tftp|jar|netdoc|sftp|imap|pop3|smtp|rmi|dns|redis|mongodb|unix):(?:\/\/|[a-z]+:)/i;
const metadata =
  /^(?:169\.254\.(?:169\.254|170\.2)|metadata(?:\.google\.internal|\.goog|\.azure\.internal|\.tencentyun\.com)?|100\.100\.100\.200|192\.0\.0\.192|instance-data(?:\.ec2\.internal)?|\[?fd00:ec2::254\]?)$/i;

/** Addresses of metadata services inside of a text. */
const inText =
  /\bhttps?:[/\\]{2}(?:169\.254\.(?:169\.254|170\.2)|metadata\.google\.internal|100\.100\.100\.200|\[fd00:ec2::254\])[/\\]/i;

function readInText(text: string): DetectorReading | undefined {
  if (!text.includes(':/')) return undefined;
  const found = inText.exec(text);
  if (found === null) return undefined;
  const { index: start } = found;
  return { confidence: 84, why: 'the metadata service of a cloud', start, end: start + found[0].length };
}

export const detectSsrf: Detector = (text) => {
  if (text.length > 2_048 || /\s\w+\s/.test(text)) return readInText(text);
  const foreign = foreignScheme.exec(text);
  if (foreign !== null && !/^["'\s]*ldaps?:\/\/[\w-]+\.[\w.-]+\/?$/i.test(text))
    return {
      confidence: 88,
      why: 'a scheme that speaks to other servers',
      start: 0,
      end: Math.min(text.length, 80),
    };
  const hiddenAt = text.search(/@(?:169\.254\.169\.254|metadata\.google\.internal)(?![\w.])/i);
  if (hiddenAt !== -1 && /^\s*[a-z]{2,8}:[/\\]{2}/i.test(text))
    return {
      confidence: 95,
      why: 'the metadata service of a cloud behind another name',
      start: hiddenAt,
      end: text.length,
    };
  const found = address.exec(text);
  if (found === null) return undefined;
  // An ideographic full stop is a dot in names of hosts.
  const host = foldHost(found[2]!).replaceAll('\u3002', '.').toLowerCase().replace(/\.$/, '');
  const judged = judgeHost(host, found[1] ?? '', found[3]);
  // A user name and a password before the host obfuscate it, and so do digits other than ASCII.
  const isHidden = foldHost(found[2]!) !== found[2] || /[/\\]{2}[^/\\?#\s@]+@/.test(found[0]);
  const [confidence, why] =
    isHidden && judged[0] >= 40 ? ([Math.max(88, judged[0]), `${judged[1]}, hidden`] as const) : judged;
  return confidence === 0
    ? undefined
    : { confidence, why, start: 0, end: Math.min(text.length, found[0].length + 40) };
};

/** Circled digits and full-width letters are digits and letters in host names. */
function foldHost(host: string): string {
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(host) ? host : Buffer.from(host, 'latin1').toString('utf8').normalize('NFKC');
}

/** Ports of services that answer every client that can connect. */
const servicePorts: ReadonlySet<string> = new Set(
  '22 23 25 2375 2376 2379 2380 3306 4444 5432 5601 5984 5985 6379 6443 7001 8086 8500 9000 9090 9200 9300 10250 10255 11211 15672 27017 50070'.split(
    ' ',
  ),
);

function judgeHost(
  host: string,
  scheme: string,
  port: string | undefined,
): readonly [confidence: number, why: string] {
  if (metadata.test(host)) return [95, 'the metadata service of a cloud'];
  const dotted = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
  const number = parseOddAddress(host);
  if (number !== undefined && !dotted) {
    if (isMetadata(number)) return [96, 'the metadata service of a cloud in a spelling that hides it'];
    return isInside(number)
      ? [90, 'an address inside of the network in a spelling that hides it']
      : [50, 'an address in a spelling that hides it'];
  }
  if (host.startsWith('[')) return isInsideIpv6(host.slice(1, -1)) ? [88, 'this host or network'] : [0, ''];
  if (
    /(?:^|\.)(?:localtest\.me|lvh\.me|nip\.io|sslip\.io|xip\.io|burpcollaborator\.net|oastify\.com|interact\.sh|oast\.\w+|requestbin\.\w+|dnslog\.cn|ceye\.io|spoofed\.\w+)$/.test(
      host,
    )
  )
    return [88, 'a name that stands for another address'];
  if (host === 'localhost' || host.endsWith('.localhost') || host.startsWith('127.') || host === '0.0.0.0') {
    if (port !== undefined && servicePorts.has(port)) return [88, 'a service of this host'];
    if (host === '0.0.0.0') return [85, 'this host'];
    return [scheme === '' ? 40 : 50, 'this host'];
  }
  if (/^kubernetes(?:\.default(?:\.svc)?)?(?:\.cluster\.local)?$|\.svc(?:\.cluster\.local)?$/.test(host))
    return [88, 'a service inside of the cluster'];
  return dotted && number !== undefined && isInside(number)
    ? [40, 'an address inside of the network']
    : [0, ''];
}

/** One to four numbers, decimal, octal or hexadecimal, as C libraries read them. */
function parseOddAddress(host: string): number | undefined {
  const parts = host.split('.');
  if (
    parts.length > 4 ||
    !/^(?:0x[0-9a-f]{1,10}|\d{1,12})(?:\.(?:0x[0-9a-f]{1,10}|\d{1,12})){0,3}$/.test(host)
  )
    return undefined;
  const numbers = parts.map((part) =>
    part.startsWith('0x')
      ? Number.parseInt(part, 16)
      : /^0\d/.test(part)
        ? Number.parseInt(part, 8)
        : Number(part),
  );
  const last = numbers.pop()!;
  let value = last;
  for (const [index, each] of numbers.entries()) value += each * 256 ** (3 - index);
  return value >= 0 && value < 2 ** 32 && !Number.isNaN(value) ? value : undefined;
}

/** Loopback, link-local and private networks, and IPv4 addresses inside of an IPv6 address, in any notation. */
function isInsideIpv6(host: string): boolean {
  const parsed = parseIp(host.replace(/%.*$/, ''));
  if (parsed === undefined) return false;
  const { family, w0, w1, w2, w3 } = removeMapping(parsed);
  if (family === 4) return isInside(w0);
  // `::7f00:1`, which is deprecated, and the prefix of translators.
  if (w1 === 0 && w2 === 0 && (w0 === 0 || w0 === 0x0064ff9b)) return isInside(w3);
  const first = w0 >>> 16;
  return (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80;
}

function isMetadata(value: number): boolean {
  return value === 0xa9fea9fe;
}

function isInside(value: number): boolean {
  const first = Math.floor(value / 2 ** 24);
  const second = Math.floor(value / 2 ** 16) % 256;
  return (
    first === 127 ||
    first === 10 ||
    first === 0 ||
    (first === 192 && second === 168) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 169 && second === 254)
  );
}
