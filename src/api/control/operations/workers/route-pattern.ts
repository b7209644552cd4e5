/** Patterns of routes: a host name and a path, `shop.example/api/*` or `*.shop.example/*`. */
import { fault, workerCodes } from '#contract';
import type { Directory, ZoneFacts } from '../../context/directory.ts';

export interface RoutePattern {
  readonly host: string;
  readonly path: string;
}

const hostName = /^\*?\.?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

function refuse(reason: string): ReturnType<typeof fault> {
  return fault(workerCodes.routePattern, { fill: { reason } });
}

export function parsePattern(pattern: string): RoutePattern {
  const [, host = '', path = '/'] = /^(?:https?:\/\/)?([^/?#]*)(\/.*)?$/i.exec(pattern) ?? [];
  const shown = JSON.stringify(pattern.slice(0, 100));
  if (!hostName.test(host.toLowerCase())) throw refuse(`${shown} does not begin with a host name`);
  if (/[?#\s\p{Cc}]/u.test(path)) throw refuse(`${shown} has a query, a fragment or a space`);
  if (path.slice(0, -1).includes('*'))
    throw refuse(`${shown} has a star that is neither at the beginning of the host name nor at the end`);
  return { host: host.toLowerCase(), path };
}

/** The zone of a host name in a pattern: of two nested zones, the inner one. */
export function findZone({ zones }: Directory, host: string, given: GivenZone): ZoneFacts {
  const name = host.replace(/^\*?\.?/, '');
  const covers = (zone: ZoneFacts): boolean => name === zone.name || name.endsWith(`.${zone.name}`);
  const found = [...zones.values()]
    .filter(
      (zone) =>
        covers(zone) &&
        (given.zone_id === undefined || zone.id === given.zone_id) &&
        (given.zone_name === undefined || zone.name === given.zone_name),
    )
    .toSorted((one, other) => other.name.length - one.name.length)[0];
  if (found === undefined) throw refuse(`${host} is not in a zone of this account, or not in the named zone`);
  return found;
}

export interface GivenZone {
  readonly zone_id?: string | undefined;
  readonly zone_name?: string | undefined;
}
