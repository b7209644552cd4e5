/**
 * The last requests of a zone, from the access log that the edge of this program writes. The edges of other hosts have logs
 * of their own, which those hosts read.
 */
import { stat } from 'node:fs/promises';
import type { Log } from '#base';
import type { RecentRequest, RecentRequests, RequestsRead } from '#control';
import type { GeoDatabase } from '#edge';
import { findAccessLogFile } from '#observability';
import type { Settings } from '../config/settings.ts';
import type { GeoSettings } from '../geo/geo-paths.ts';
import { LentGeo } from '../geo/lent-geo.ts';

/**
 * A longer file is not read for a preview, because a user waits for it. Rotated files have a quarter of it by default.
 */
const fileBytesMax = 64 * 1024 * 1024;

/** The fields that a log without header fields and bodies lacks. */
const unknownInLines = ['http.cookie', 'http.request.cookies', 'http.request.headers', 'http.request.body'];

type LogSettings = GeoSettings & Pick<Settings, 'edgeAccessLog' | 'edgeAccessLogFormat'>;

/** Newest file first: rotated ones have a number after their name. */
export function createRecentRequests(settings: LogSettings, log: Log): RecentRequests {
  const geo = new LentGeo(settings, log);
  const file = findAccessLogFile(settings);
  const format = settings.edgeAccessLogFormat;
  return {
    async read(zoneName, { max, needsPlaces }) {
      let requests: RequestsRead['requests'] = [];
      for (const path of file === undefined ? [] : [file, `${file}.1`]) {
        if (requests.length >= max || !(await isReadable(path))) break;
        requests = [...(await readFile(path, zoneName)), ...requests];
      }
      if (requests.length === 0) return undefined;
      const newest = requests.slice(-max);
      const places = needsPlaces ? await geo.open() : undefined;
      return {
        source: 'access log',
        requests: places === undefined ? newest : newest.map((request) => addPlace(request, places)),
        unknownFields: [...geo.listUnknownFields(places), ...(format === 'requests' ? [] : unknownInLines)],
      };
    },
  };
}

/** With the edge's facts. */
function addPlace(request: RecentRequest, places: GeoDatabase): RecentRequest {
  const found = places.find(request.ip);
  const { country, asn } = found;
  return { ...request, country, asn, readPlace: (key) => found.read(key) };
}

async function isReadable(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && found.isFile() && found.size > 0 && found.size <= fileBytesMax;
}

async function readFile(file: string, zoneName: string): Promise<RequestsRead['requests']> {
  // The start need not wait for it.
  const { openTraffic } = await import('#rehearsal');
  const traffic = await openTraffic({ file, zoneName });
  const requests: RequestsRead['requests'][number][] = [];
  for await (const entry of traffic.read()) {
    if (entry.kind === 'unreadable') continue;
    const { method, target, host, isSecure, headers, ip, receivedAtMs, isSignedIn } = entry.request;
    if (host !== zoneName && !host.endsWith(`.${zoneName}`)) continue;
    const url = `${isSecure ? 'https' : 'http'}://${host}${target}`;
    requests.push({ method, url, headers, ip, receivedAtMs, isSignedIn });
  }
  return requests;
}
