/**
 * The page that a request names in its Referer. Its address holds what the request for the page held, so it is judged as
 * that request would be: browsers send it with every image and script of the page.
 */
import { lowerAscii } from '#base';
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
  /** Whether a browser may have written the address: others may hold more than a path and arguments. */
  readonly isPlain: boolean;
  /** Whether the path only names a page: no escape and no other sign in it can be an attack. */
  readonly isNamedPlainly: boolean;
  /** Whether it is a page of the host that the request is for. */
  readonly isOwn: boolean;
}

const address = /^((https?):\/\/([^/?#@\\\s]{1,255}))([^?#]*)(?:\?([^#]*))?/i;

/** Browsers escape all other signs, and leave out what stands behind `#`. */
const plain = /^[!$-;=?-~]*$/;

const plainPath = /^(?:\/(?!\.\.(?:\/|$))[\w.~-]*)*$/;

/** Undefined if there is no Referer, more than one, or one that is not an address of the web. */
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

/** Of a request for the page by any client: rules say of some of these that they are missing. */
export function bareHeadersForPage({ host }: ReferredPage): Pairs {
  return [
    ['host', host],
    ['user-agent', 'Mozilla/5.0'],
    ['accept', '*/*'],
  ];
}

/** What the request for the page had besides: neither a Referer nor a body. */
const ownHeaders = /^(?:referer|host|content-.*|transfer-encoding)$/i;

export function headersForPage({ host }: ReferredPage, headers: Pairs): Pairs {
  return [['host', host], ...headers.filter(([name]) => !ownHeaders.test(name))];
}
