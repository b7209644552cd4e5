/**
 * Addresses that a server must not fetch for a visitor: the metadata service of clouds, this host in a spelling that hides
 * it, schemes that speak to other servers. A plain `http://localhost:3000/` is where native applications get their answer
 * from, so by itself it is only worth a note.
 */
import type { Detector } from '../finding.ts';

const address =
  /^["'\s\0]*(?:url[:=])?((?:[a-z][a-z0-9+.-]{1,20}):)?[/\\]{2,4}(?:[^/\\?#\s@]{0,200}@)?(\[[0-9a-f:.%]{2,60}\]|[^/\\?#\s:]{1,255})(?::(\d{1,5}))?/i;
const foreignScheme =
  /^["'\s]*(?:gopher|dict|ldaps?|tftp|jar|netdoc|sftp|imap|pop3|smtp|rmi|dns|redis|mongodb):(?:\/\/|[a-z]+:)/i;
const metadata =
  /^(?:169\.254\.(?:169\.254|170\.2)|metadata(?:\.google\.internal|\.goog)?|100\.100\.100\.200|192\.0\.0\.192|instance-data(?:\.ec2\.internal)?|\[?fd00:ec2::254\]?)$/i;

export const detectSsrf: Detector = (text) => {
  if (text.length > 2_048 || /\s\w+\s/.test(text)) return undefined;
  const foreign = foreignScheme.exec(text);
  if (foreign !== null && !/^["'\s]*ldaps?:\/\/[\w-]+\.[\w.-]+\/?$/i.test(text))
    return {
      confidence: 88,
      why: 'a scheme that speaks to other servers',
      start: 0,
      end: Math.min(text.length, 80),
    };
  const found = address.exec(text);
  if (found === null) return undefined;
  const host = found[2]!.toLowerCase().replace(/\.$/, '');
  const [confidence, why] = judgeHost(host, found[1] ?? '');
  return confidence === 0
    ? undefined
    : { confidence, why, start: 0, end: Math.min(text.length, found[0].length + 40) };
};

function judgeHost(host: string, scheme: string): readonly [confidence: number, why: string] {
  if (metadata.test(host)) return [95, 'the metadata service of a cloud'];
  const dotted = /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
  const number = parseOddAddress(host);
  if (number !== undefined && !dotted) {
    if (isMetadata(number)) return [96, 'the metadata service of a cloud in a spelling that hides it'];
    return isInside(number)
      ? [90, 'an address inside of the network in a spelling that hides it']
      : [50, 'an address in a spelling that hides it'];
  }
  if (
    /^\[(?:::1?|::ffff:(?:127\.|7f|a9fe|169\.254|0|10\.|192\.168)[\w.:]*|0{0,4}(?::0{0,4}){2,7}1?|fe80:.*|f[cd][\w:]*)\]$/.test(
      host,
    )
  )
    return [88, 'this host or network'];
  if (
    /(?:^|\.)(?:localtest\.me|lvh\.me|nip\.io|sslip\.io|xip\.io|burpcollaborator\.net|oastify\.com|interact\.sh|oast\.\w+|requestbin\.\w+|dnslog\.cn|ceye\.io|spoofed\.\w+)$/.test(
      host,
    )
  )
    return [88, 'a name that stands for another address'];
  if (host === 'localhost' || host.endsWith('.localhost') || /^127\./.test(host) || host === '0.0.0.0')
    return [scheme === '' ? 40 : 50, 'this host'];
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
    /^0x/.test(part)
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
