/**
 * Tries every client with every spelling of an address through a door, and compares their results with the target's
 * counts.
 */
import type { Door } from './doors.ts';
import { listPlaces, type Place } from './places.ts';
import type { Target } from './target.ts';

export interface Cell {
  readonly client: string;
  /** The attempts, and the outcome of each. */
  readonly tried: readonly (readonly [place: string, outcome: string])[];
  /** Connections and datagrams that arrived. */
  readonly arrived: number;
}

type Kinds = Readonly<Record<'address' | 'socket' | 'way', readonly string[]>>;

export interface TryOptions {
  /** Where the Worker tries: `/`, or `/object` for an object of it. */
  readonly from?: '/' | '/object';
  readonly places: 'of this machine' | 'all';
  /** Whether to include ways other than connections: where they are allowed, they would start programs. */
  readonly withWays?: boolean;
}

/** Every client, every spelling, every socket and every way that is not a connection. */
export async function tryTarget(door: Door, target: Target, options: TryOptions): Promise<Cell[]> {
  const { from = '/', places, withWays = true } = options;
  const kinds = (await door.ask('/')) as Kinds;
  const all: Cell[] = [];
  const add = async (kind: keyof Kinds, list: readonly (Place | string | number)[]): Promise<void> => {
    for (const client of kinds[kind]) {
      const before = target.reached;
      const outcomes = (await door.ask(from, { kind, client, places: list })) as string[];
      all.push({ client, tried: pair(list, outcomes), arrived: target.reached - before });
    }
  };
  await add('address', listPlaces(target.port, places));
  await add('socket', [target.socket]);
  if (withWays) await add('way', [target.port]);
  return all;
}

/** Listeners of the program itself, directly and by a redirect of a service that may be connected to. */
export async function tryOwn(door: Door, target: Target): Promise<Cell[]> {
  const { address } = (await door.ask('/')) as Kinds;
  const all: Cell[] = [];
  for (const url of door.own) {
    const { port } = new URL(url);
    const direct = listPlaces(Number(port), 'of this machine');
    const path = `/?to=${encodeURIComponent(`${url}/metrics`)}`;
    const redirected: Place = { host: '127.0.0.1', urlHost: '127.0.0.1', port: target.port, path };
    for (const client of address) {
      const follows = /^(fetch|axios|got|undici, fetch|undici, Agent)/.test(client);
      const list = follows ? [...direct, redirected] : direct;
      const outcomes = (await door.ask('/', { kind: 'address', client, places: list })) as string[];
      all.push({ client, tried: pair(list, outcomes), arrived: 0 });
    }
  }
  return all;
}

/** Forbidden attempts that succeeded. */
export function listLeaks(cells: readonly Cell[]): string[] {
  return cells.flatMap(({ client, tried, arrived }) => [
    ...tried
      .filter(([, outcome]) => outcome === 'reached')
      .map(([place]) => `${client} has reached ${place}`),
    ...(arrived === 0 ? [] : [`${client}: ${arrived} connections arrived`]),
  ]);
}

function pair(list: readonly (Place | string | number)[], outcomes: readonly string[]): [string, string][] {
  return list.map((place, index) => [nameOf(place), outcomes[index]!]);
}

function nameOf(place: Place | string | number): string {
  return typeof place === 'object' ? `${place.urlHost}${place.path ?? ''}` : String(place);
}
