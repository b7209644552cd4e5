/**
 * What one process has learned about a zone since its last report: a sample for each value. Its size is bounded, and so
 * is what one network can add to it.
 */
import type { Ip } from '#addresses';
import { foldName, foldPath } from './folding.ts';
import { toKey } from './learned-values.ts';
import { batchValuesMax, sampleNetworksMax } from './limits.ts';
import type { LearnedPlace, ListedValue } from './listed-values.ts';
import { encodeSample, hashNetwork, joinNetworks, type SampledNetwork } from './sample.ts';
import { shapeOf } from './value-shape.ts';

/** The form sent to the object of the zone. */
export interface LearnedBatch {
  readonly seed: string;
  readonly requests: number;
  readonly values: readonly {
    readonly path: string;
    readonly place: LearnedPlace;
    readonly name: string;
    readonly requests: number;
    readonly sample: string;
  }[];
}

export interface ObservedValues {
  readonly ip: Ip;
  readonly path: string;
  readonly values: readonly ListedValue[];
  /** Days since 1970. */
  readonly day: number;
}

/** Requests of one network that a batch learns from, and values that it may be the first to send. */
const requestsPerNetworkMax = 20;
const newPerNetworkMax = 30;

interface Observed {
  readonly path: string;
  readonly place: LearnedPlace;
  readonly name: string;
  requests: number;
  readonly networks: Map<number, SampledNetwork>;
}

export class Batch {
  readonly seed: string;
  readonly #values = new Map<string, Observed>();
  readonly #byNetwork = new Map<number, { requests: number; firsts: number }>();
  #requests = 0;

  constructor(seed: string) {
    this.seed = seed;
  }

  add({ ip, path, values, day }: ObservedValues): void {
    const folded = foldPath(path);
    if (folded === undefined || values.length === 0) return;
    const hash = hashNetwork(ip, this.seed);
    const network = this.#byNetwork.get(hash) ?? { requests: 0, firsts: 0 };
    if (network.requests >= requestsPerNetworkMax) return;
    network.requests++;
    this.#byNetwork.set(hash, network);
    this.#requests++;
    const counted = new Set<Observed>();
    for (const { place, name: given, value } of values) {
      const name = foldName(given);
      const observed = name && this.#find(folded, place, name, network);
      if (!observed) continue;
      if (!counted.has(observed)) observed.requests++;
      counted.add(observed);
      note(observed.networks, { hash, day, ...shapeOf(value) });
    }
  }

  #find(path: string, place: LearnedPlace, name: string, network: { firsts: number }): Observed | undefined {
    const key = toKey(path, place, name);
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    if (this.#values.size >= batchValuesMax || network.firsts >= newPerNetworkMax) return undefined;
    network.firsts++;
    const observed: Observed = { path, place, name, requests: 0, networks: new Map() };
    this.#values.set(key, observed);
    return observed;
  }

  get isEmpty(): boolean {
    return this.#requests === 0;
  }

  toMessage(): LearnedBatch {
    return {
      seed: this.seed,
      requests: this.#requests,
      values: [...this.#values.values()].map(({ path, place, name, requests, networks }) => ({
        path,
        place,
        name,
        requests,
        sample: encodeSample([...networks.values()].toSorted((a, b) => a.hash - b.hash)),
      })),
    };
  }
}

/** Keeps the networks with the smallest hashes. */
function note(networks: Map<number, SampledNetwork>, seen: SampledNetwork): void {
  const known = networks.get(seen.hash);
  if (known !== undefined || networks.size < sampleNetworksMax) {
    networks.set(seen.hash, known === undefined ? seen : joinNetworks(known, seen));
    return;
  }
  const largest = Math.max(...networks.keys());
  if (seen.hash > largest) return;
  networks.delete(largest);
  networks.set(seen.hash, seen);
}
