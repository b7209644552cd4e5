/** What one edge process sends to the origins of pools: requests under way, and how many there were. */
export interface OriginCounts {
  readonly pool: string;
  readonly origin: string;
  /** Requests that were sent to it. */
  readonly requests: number;
  /** Those of them that it did not answer. */
  readonly failures: number;
}

interface Load {
  readonly pool: string;
  readonly origin: string;
  inFlight: number;
  requests: number;
  failures: number;
}

export class OriginLoads {
  readonly #loads = new Map<string, Load>();

  countInFlight(key: string): number {
    return this.#loads.get(key)?.inFlight ?? 0;
  }

  begin(key: string, names: { readonly pool: string; readonly origin: string }): void {
    let load = this.#loads.get(key);
    if (load === undefined)
      this.#loads.set(key, (load = { ...names, inFlight: 0, requests: 0, failures: 0 }));
    load.inFlight++;
    load.requests++;
  }

  end(key: string, { isFailure }: { readonly isFailure: boolean }): void {
    const load = this.#loads.get(key);
    if (load === undefined) return;
    load.inFlight--;
    if (isFailure) load.failures++;
  }

  list(): OriginCounts[] {
    return Array.from(this.#loads.values(), ({ pool, origin, requests, failures }) => ({
      pool,
      origin,
      requests,
      failures,
    }));
  }

  /** Forgets all others. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of this.#loads.keys()) if (!keys.has(key)) this.#loads.delete(key);
  }
}
