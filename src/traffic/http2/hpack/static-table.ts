/** The fields that both sides of a connection know from the start (RFC 7541, appendix A), in the order of their indices. */
import { createEntry, type TableEntry } from './table-entry.ts';

const fields =
  ':authority|:method GET|:method POST|:path /|:path /index.html|:scheme http|:scheme https|:status 200|:status 204|' +
  ':status 206|:status 304|:status 400|:status 404|:status 500|accept-charset|accept-encoding gzip, deflate|' +
  'accept-language|accept-ranges|accept|access-control-allow-origin|age|allow|authorization|cache-control|' +
  'content-disposition|content-encoding|content-language|content-length|content-location|content-range|content-type|' +
  'cookie|date|etag|expect|expires|from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|' +
  'last-modified|link|location|max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|' +
  'server|set-cookie|strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate';

export const staticEntries: readonly TableEntry[] = fields.split('|').map((field) => {
  const space = field.indexOf(' ');
  return space === -1 ? createEntry(field, '') : createEntry(field.slice(0, space), field.slice(space + 1));
});

/** The first index of each name. Indices start at 1. */
export const staticIndexOfName: ReadonlyMap<string, number> = new Map(
  staticEntries.map(({ field }, index) => [field[0], index + 1] as const).toReversed(),
);
