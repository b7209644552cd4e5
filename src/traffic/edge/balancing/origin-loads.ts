/** The load that one edge process puts on pool origins: open requests, and totals. */
export interface OriginCounts {
  readonly pool: string;
  readonly origin: string;
  /** Requests sent to the origin. */
  readonly requests: number;
  /** Requests that the origin did not answer. */
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

  /** Removes all other keys. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of this.#loads.keys()) if (!keys.has(key)) this.#loads.delete(key);
  }
}
