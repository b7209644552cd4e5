/** The `Referer` of a request, as events show it. */
import { eventTextMax } from './limits.ts';

export interface Referer {
  readonly scheme: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

const noReferer: Referer = { scheme: '', host: '', path: '', query: '' };

/** URLs that `URL` leaves unchanged, except for dot segments: nearly every referer, at a fraction of the cost. */
const plainUrl =
  /^(https?):\/\/((?:[a-z0-9-]+\.)+[a-z]{2,})(\/[\w.~!$&()*+,;=:@%/-]*)(\?[\w.~!$&()*+,;=:@%/?-]+)?$/;
const changedParts = /\/\.|%2e|xn--/i;

/** Empty texts if it is not a URL. */
export function parseReferer(referer: string): Referer {
  if (referer === '') return noReferer;
  if (referer.length <= eventTextMax && !changedParts.test(referer)) {
    const [, scheme, host, path, query = ''] = plainUrl.exec(referer) ?? [];
    if (scheme !== undefined) return { scheme, host: host!, path: path!, query };
  }
  const parsed = URL.parse(referer);
  if (parsed === null) return noReferer;
  return {
    scheme: parsed.protocol.slice(0, -1),
    host: parsed.host.slice(0, eventTextMax),
    path: parsed.pathname.slice(0, eventTextMax),
    query: parsed.search.slice(0, eventTextMax),
  };
}
