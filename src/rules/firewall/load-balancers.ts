/** Load balancers in the form that the edge receives: plain data, with their pools and monitors. */

export interface ConfiguredLoadBalancer {
  readonly id: string;
  readonly zoneId: string;
  /** A host name in lower case, possibly with the prefix `*.`. */
  readonly name: string;
  /** In the order in which they are tried. */
  readonly pools: readonly ConfiguredPool[];
  /** Used whatever its health, if no other pool is healthy. */
  readonly fallback: ConfiguredPool;
  /** How one of the healthy pools is chosen. */
  readonly steering: 'order' | 'random' | 'least_outstanding_requests';
  /** With `random`, by the id of a pool; the others have 1 unless `defaultWeight` is set. */
  readonly poolWeights: Readonly<Record<string, number>>;
  readonly defaultWeight: number;
  readonly affinity: ConfiguredAffinity | undefined;
  /** Whether a request that an origin did not answer may be retried in another pool. */
  readonly failsOverAcrossPools: boolean;
}

export interface ConfiguredAffinity {
  readonly by: 'cookie' | 'ip_cookie' | 'header';
  readonly ttlSeconds: number;
  readonly sameSite: 'Auto' | 'Lax' | 'None' | 'Strict';
  readonly secure: 'Auto' | 'Always' | 'Never';
  /** How long a disabled origin keeps its sessions. */
  readonly drainSeconds: number;
  /** What happens to a session whose origin does not answer. */
  readonly failover: 'none' | 'temporary' | 'sticky';
  /** Request fields in lower case; the key of `header` affinity. */
  readonly headers: readonly string[];
  /** Whether a request that lacks one of them has no session. */
  readonly requiresAllHeaders: boolean;
}

export interface ConfiguredPool {
  readonly id: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly origins: readonly ConfiguredPoolOrigin[];
  /** With fewer healthy origins, the pool is unhealthy. */
  readonly originsMin: number;
  readonly steering: 'random' | 'hash' | 'least_outstanding_requests';
  readonly slowStartSeconds: number;
  readonly monitor: ConfiguredMonitor | undefined;
}

export interface ConfiguredPoolOrigin {
  readonly name: string;
  /** A name or an address. */
  readonly address: string;
  /** Undefined for the default port of the scheme. */
  readonly port: number | undefined;
  /** The `Host` field for the origin, and the name in its certificate. */
  readonly host: string | undefined;
  /** 0 to 1. */
  readonly weight: number;
  readonly isEnabled: boolean;
  /** When it was disabled. */
  readonly disabledAtMs: number | undefined;
}

export interface ConfiguredMonitor {
  readonly id: string;
  readonly type: 'http' | 'https' | 'tcp';
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Replaces the port of the origin. */
  readonly port: number | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly intervalMs: number;
  /** Consecutive probes that change the state of an origin; at least 1. */
  readonly consecutiveUp: number;
  readonly consecutiveDown: number;
  /** In lower case; empty if the body is not checked. */
  readonly expectedBody: string;
  /** Statuses, and classes of them: `2xx`. */
  readonly expectedCodes: readonly string[];
  readonly followsRedirects: boolean;
  readonly allowsInsecure: boolean;
}

/**
 * The one for the requests of a host: an exact name has precedence over a star, and a longer suffix over a shorter one.
 */
export function findLoadBalancer(
  balancers: readonly ConfiguredLoadBalancer[] = [],
  host: string,
): ConfiguredLoadBalancer | undefined {
  return balancers
    .filter(({ name }) => (name.startsWith('*') ? host.endsWith(name.slice(1)) : name === host))
    .toSorted(
      (one, other) =>
        Number(one.name.startsWith('*')) - Number(other.name.startsWith('*')) ||
        other.name.length - one.name.length,
    )[0];
}

/** The key of an origin of a pool: the same address may be in several pools, and several times in one. */
export function keyOfOrigin(
  { id }: Pick<ConfiguredPool, 'id'>,
  { address, port, host }: Pick<ConfiguredPoolOrigin, 'address' | 'port' | 'host'>,
): string {
  return `${id} ${address} ${port ?? ''} ${host ?? ''}`;
}
