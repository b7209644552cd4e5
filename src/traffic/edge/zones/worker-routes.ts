/**
 * Finds the Worker that answers a request: the most specific of the routes that match its host and path. An exact host
 * name is more specific than one with a star, and a longer one more than a shorter one; among equal host patterns the
 * same order applies to paths.
 *
 * The look-up time depends on the number of different lengths of names and paths, not on the number of routes.
 */
import type { WorkerRoute } from '#firewall';
import type { Origin } from '../wire/exchange.ts';

/** Null if requests go to the origin of the zone although a less specific route matches. */
type RouteTarget = Origin | null;

export class WorkerRoutes {
  readonly #origins = new Map<string, Origin>();
  readonly #hosts = new Map<string, PathTable>();
  /** By name suffix. */
  readonly #endings = new Map<string, PathTable>();
  /** The lengths of the suffixes in characters, the longest first. */
  readonly #lengths: readonly number[];

  /** Reuses the origins of `before`, because connections are looked up by origin object. */
  constructor(routes: readonly WorkerRoute[], before?: WorkerRoutes) {
    for (const { host, path, worker } of routes) {
      const isEnding = host.startsWith('*');
      const tables = isEnding ? this.#endings : this.#hosts;
      const name = isEnding ? host.slice(1) : host;
      let table = tables.get(name);
      if (table === undefined) tables.set(name, (table = new PathTable()));
      table.add(path, worker === null ? null : this.#originOf(worker, before));
    }
    this.#lengths = listLengths(this.#endings.keys());
  }

  /** Undefined if no route matches. */
  find(host: string, path: string): RouteTarget | undefined {
    const whole = this.#hosts.get(host)?.find(path);
    if (whole !== undefined) return whole;
    for (const length of this.#lengths) {
      // The star matches at least one character, unless the rest is a whole name.
      if (length > host.length) continue;
      const found = this.#endings.get(host.slice(host.length - length))?.find(path);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #originOf(worker: string, before: WorkerRoutes | undefined): Origin {
    const known =
      this.#origins.get(worker) ?? (before === undefined ? undefined : before.#origins.get(worker));
    const origin: Origin = known ?? { scheme: 'http', host: `worker:${worker}`, port: 0, worker };
    this.#origins.set(worker, origin);
    return origin;
  }
}

class PathTable {
  readonly #whole = new Map<string, RouteTarget>();
  readonly #beginnings = new Map<string, RouteTarget>();
  #lengths: readonly number[] = [];

  add(path: string, target: RouteTarget): void {
    if (!path.endsWith('*')) return void this.#whole.set(path, target);
    this.#beginnings.set(path.slice(0, -1), target);
    if (!this.#lengths.includes(path.length - 1)) this.#lengths = listLengths(this.#beginnings.keys());
  }

  find(path: string): RouteTarget | undefined {
    const whole = this.#whole.get(path);
    if (whole !== undefined) return whole;
    for (const length of this.#lengths) {
      const found = length > path.length ? undefined : this.#beginnings.get(path.slice(0, length));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** The longest first. */
function listLengths(texts: Iterable<string>): number[] {
  const lengths = new Set<number>();
  for (const text of texts) lengths.add(text.length);
  return [...lengths].toSorted((one, other) => other - one);
}
