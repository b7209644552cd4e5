/** Where a request that passes the rules would go: a load balancer and its pool, or one origin. */
import type { Result } from '#contract';
import {
  type ConfiguredOrigin,
  type ConfiguredPool,
  findLoadBalancer,
  findRoute,
  type Judgement,
  type ZoneConfiguration,
} from '#firewall';

type ForwardedTo = NonNullable<Result<'security.trace'>['forwarded_to']>;

/** Undefined if it is answered at the edge. The choice among the healthy origins is made when the request arrives. */
export function traceOrigin(
  configuration: ZoneConfiguration,
  judgement: Judgement,
  host: string,
): ForwardedTo | undefined {
  if (judgement.verdict.kind !== 'pass') return undefined;
  const route = findRoute(judgement.changes);
  const balancer =
    route?.connectTo === undefined ? findLoadBalancer(configuration.loadBalancers, host) : undefined;
  if (balancer !== undefined) {
    const pool = balancer.pools.find(hasEnough) ?? balancer.fallback;
    return { load_balancer: balancer.name, pool: pool.name, origins: listOrigins(pool) };
  }
  const { origin } = configuration.edge;
  const named = route?.connectTo ?? (origin && nameOrigin(origin));
  return { origins: named === undefined ? [] : [named] };
}

function nameOrigin(origin: ConfiguredOrigin): string {
  return 'worker' in origin ? origin.worker : (origin.connectTo ?? new URL(origin.url).host);
}

function hasEnough({ isEnabled, origins, originsMin }: ConfiguredPool): boolean {
  return isEnabled && origins.filter((origin) => origin.isEnabled).length >= originsMin;
}

function listOrigins({ origins }: ConfiguredPool): string[] {
  return origins
    .filter(({ isEnabled }) => isEnabled)
    .map(({ name, address, port }) => `${name} ${address}${port === undefined ? '' : `:${port}`}`);
}
