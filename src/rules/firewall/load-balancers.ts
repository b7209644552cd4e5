/** Load balancers as the edge gets them: plain data, with the pools and monitors that they name. */

export interface ConfiguredLoadBalancer {
  readonly id: string;
  readonly zoneId: string;
  /** A host name in lower case, or one that begins with `*.`. */
  readonly name: string;
  /** In the order in which they are asked. */
  readonly pools: readonly ConfiguredPool[];
  /** Asked whatever its health, if no other pool is well. */
  readonly fallback: ConfiguredPool;
  /** How one of the pools that are well is chosen. */
  readonly steering: 'order' | 'random' | 'least_outstanding_requests';
  /** With `random`, by the id of a pool; 1 for the others unless `defaultWeight` says something else. */
  readonly poolWeights: Readonly<Record<string, number>>;
  readonly defaultWeight: number;
  readonly affinity: ConfiguredAffinity | undefined;
  /** Whether a request that an origin did not answer may go on to another pool. */
  readonly failsOverAcrossPools: boolean;
}

export interface ConfiguredAffinity {
  readonly by: 'cookie' | 'ip_cookie' | 'header';
  readonly ttlSeconds: number;
  readonly sameSite: 'Auto' | 'Lax' | 'None' | 'Strict';
  readonly secure: 'Auto' | 'Always' | 'Never';
  /** How long an origin that was disabled keeps the sessions that it has. */
  readonly drainSeconds: number;
  /** What becomes of a session whose origin does not answer. */
  readonly failover: 'none' | 'temporary' | 'sticky';
  /** Of the request, in lower case; what `header` goes by. */
  readonly headers: readonly string[];
  /** Whether a request without one of them has no session. */
  readonly requiresAllHeaders: boolean;
}

export interface ConfiguredPool {
  readonly id: string;
  readonly name: string;
  readonly isEnabled: boolean;
  readonly origins: readonly ConfiguredPoolOrigin[];
  /** With fewer that are well, the pool is not. */
  readonly originsMin: number;
  readonly steering: 'random' | 'hash' | 'least_outstanding_requests';
  readonly slowStartSeconds: number;
  readonly monitor: ConfiguredMonitor | undefined;
}

export interface ConfiguredPoolOrigin {
  readonly name: string;
  /** A name or an address. */
  readonly address: string;
  /** Undefined for that of the scheme. */
  readonly port: number | undefined;
  /** What the origin gets as `Host`, and is named in its certificate. */
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
  /** In place of that of the origin. */
  readonly port: number | undefined;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly intervalMs: number;
  /** How many in a row change what is known of an origin; at least 1. */
  readonly consecutiveUp: number;
  readonly consecutiveDown: number;
  /** In lower case; empty if the body does not matter. */
  readonly expectedBody: string;
  /** Statuses, and classes of them: `2xx`. */
  readonly expectedCodes: readonly string[];
  readonly followsRedirects: boolean;
  readonly allowsInsecure: boolean;
}

/** The one that takes the requests of a host: a whole name comes before a star, a longer ending before a shorter one. */
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

/** What an origin of a pool is known by: the same address may be in several pools, and several times in one. */
export function keyOfOrigin(
  { id }: Pick<ConfiguredPool, 'id'>,
  { address, port, host }: Pick<ConfiguredPoolOrigin, 'address' | 'port' | 'host'>,
): string {
  return `${id} ${address} ${port ?? ''} ${host ?? ''}`;
}
