/**
 * The page in the Referer of a request. Its address contains the data of the request for that page, so it is judged as
 * that request would be: browsers send it with every image and script of the page.
 */
import { lowerAscii } from '#text';
import { joinHeader } from './headers.ts';
import type { Pairs } from './pairs.ts';

export interface ReferredPage {
  /** As received. */
  readonly address: string;
  readonly scheme: string;
  readonly host: string;
  /** `https://example.com` */
  readonly origin: string;
  readonly path: string;
  readonly query: string | undefined;
  /** Whether a browser may have written the address: other addresses may contain more than a path and arguments. */
  readonly isPlain: boolean;
  /** Whether the path only names a page: no escape and no other character in it can be an attack. */
  readonly isNamedPlainly: boolean;
  /** Whether the page belongs to the host that the request is for. */
  readonly isOwn: boolean;
}

const address = /^((https?):\/\/([^/?#@\\\s]{1,255}))([^?#]*)(?:\?([^#]*))?/i;

/** Browsers escape all other characters, and omit the fragment after `#`. */
const plain = /^[!$-;=?-~]*$/;

const plainPath = /^(?:\/(?!\.\.(?:\/|$))[\w.~-]*)*$/;

/** Undefined if there is no Referer, more than one, or one that is not a web address. */
export function findReferredPage(headers: Pairs): ReferredPage | undefined {
  let text: string | undefined;
  for (const [name, value] of headers) {
    if (name.length !== 7 || lowerAscii(name) !== 'referer') continue;
    if (text !== undefined) return undefined;
    text = value;
  }
  if (text === undefined) return undefined;
  const found = address.exec(text);
  if (found === null) return undefined;
  const [, origin, scheme, host, path, query] = found;
  return {
    address: text,
    scheme: lowerAscii(scheme!),
    host: lowerAscii(host!),
    origin: origin!,
    path: path || '/',
    query,
    isPlain: plain.test(text),
    isNamedPlainly: plainPath.test(path!),
    isOwn: lowerAscii(host!) === lowerAscii(joinHeader(headers, 'host')),
  };
}

/** The headers of a request for the page by any client: some rules match if these are missing. */
export function bareHeadersForPage({ host }: ReferredPage): Pairs {
  return [
    ['host', host],
    ['user-agent', 'Mozilla/5.0'],
    ['accept', '*/*'],
  ];
}

/** Headers that the request for the page does not share: it has neither a Referer nor a body. */
const ownHeaders = /^(?:referer|host|content-.*|transfer-encoding)$/i;

export function headersForPage({ host }: ReferredPage, headers: Pairs): Pairs {
  return [['host', host], ...headers.filter(([name]) => !ownHeaders.test(name))];
}
