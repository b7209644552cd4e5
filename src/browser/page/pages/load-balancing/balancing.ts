/**
 * The data of the page: the load balancers of a site, the pools and monitors of the account, and the health of origins.
 */
import { queryOptions } from '@tanstack/react-query';
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';

export type Balancer = Result<'loadBalancers.list'>[number];
export type Pool = Result<'pools.list'>[number] & { readonly health: Result<'pools.health'>['pop_health'] };
export type Monitor = Result<'monitors.list'>[number];

export interface Balancing {
  readonly balancers: readonly Balancer[];
  readonly pools: readonly Pool[];
  readonly monitors: readonly Monitor[];
}

export const balancersPath = '/zones/{zone_id}/load_balancers';
export const poolsPath = '/accounts/{account_id}/load_balancers/pools';
export const monitorsPath = '/accounts/{account_id}/load_balancers/monitors';

/** The health of origins changes while the page is open. */
const readAgainMs = 5_000;

/** Below the site, so that it is read again with it. */
export function balancingQuery({
  zone_id,
  account_id,
}: {
  readonly zone_id: string;
  readonly account_id: string;
}) {
  return queryOptions({
    queryKey: ['zones', zone_id, 'load balancing'],
    refetchInterval: readAgainMs,
    async queryFn({ signal }): Promise<Balancing> {
      const [balancers, pools, monitors] = await Promise.all([
        resultOf(client.get(balancersPath, { zone_id, signal })),
        resultOf(client.get(poolsPath, { account_id, signal })),
        resultOf(client.get(monitorsPath, { account_id, signal })),
      ]);
      const withHealth = pools.map(async (pool) => {
        const health = await resultOf(
          client.get(`${poolsPath}/{pool_id}/health`, { account_id, pool_id: pool.id, signal }),
        );
        return { ...pool, health: health.pop_health };
      });
      return { balancers, pools: await Promise.all(withHealth), monitors };
    },
  });
}

export interface OriginState {
  readonly text: 'healthy' | 'unhealthy' | 'disabled' | 'unknown';
  /** The reasons by host. */
  readonly reasons: readonly string[];
}

/** Unhealthy if one host reports that. A host that has not checked yet reports it as healthy, without measurements. */
export function describeOrigin({ health, enabled }: Pool, origin: Pool['origins'][number]): OriginState {
  if (!origin.enabled || !enabled) return { text: 'disabled', reasons: [] };
  const seen = Object.entries(health)
    .flatMap(([pop, { origins }]) => origins.map((each) => ({ pop, state: each[origin.address] })))
    .flatMap(({ pop, state }) => (state === undefined ? [] : [{ pop, state }]))
    .filter(({ state }) => !state.healthy || state.rtt !== undefined);
  if (seen.length === 0) return { text: 'unknown', reasons: [] };
  const bad = seen.filter(({ state }) => !state.healthy);
  return {
    text: bad.length > 0 ? 'unhealthy' : 'healthy',
    reasons: bad.map(({ pop, state }) => `${pop}: ${state.failure_reason ?? 'unhealthy'}`),
  };
}

/** One origin on each line: name, address with its port, and a weight. */
export function parseOrigins(
  text: string,
): { name: string; address: string; port?: number; weight?: number }[] {
  return text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([name]) => name !== '')
    .map(([name = '', where = '', weight]) => {
      const [, address = where, port] = /^(.*[^:]):(\d+)$/.exec(where) ?? [];
      return {
        name,
        address,
        ...(port === undefined ? {} : { port: Number(port) }),
        ...(weight === undefined ? {} : { weight: Number(weight) }),
      };
    });
}

export function formatOrigins(origins: Pool['origins']): string {
  return origins
    .map(({ name, address, port, weight }) => {
      const where = port === undefined ? address : `${address}:${port}`;
      return weight === 1 ? `${name} ${where}` : `${name} ${where} ${weight}`;
    })
    .join('\n');
}
