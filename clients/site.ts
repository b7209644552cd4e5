/**
 * A real configuration created by Terraform and tested with real traffic: 20 redirects, 10 rules about fields, 5 rate
 * limits, 3 pools, and one of each other phase that acts. For every rule, a request shows that it acts, and the trace
 * or the event explains why. It is a part of `npm run clients`.
 */
import { EchoOrigin } from '../bench/traffic/echo-origin.ts';
import { showSite, type ShownResult } from '../bench/traffic/show-site.ts';
import { listPools, listRulesets } from '../bench/traffic/site.ts';
import { Reference, writeResource } from './hcl.ts';
import { CommandError, type Setting, Workspace } from './workspace.ts';

export interface SiteResult {
  readonly shown: readonly ShownResult[];
  /** Failures before or after that. */
  readonly problem?: string;
}

/** Provider 4 has no port of an origin, so its pools reach nothing on this machine. */
const generation = 'provider-5';

export async function runSite(setting: Setting, providerPath: string): Promise<SiteResult> {
  const { server } = setting;
  const zone = await server.createZone('enterprise');
  await using one = await EchoOrigin.listen();
  await using other = await EchoOrigin.listen();
  const ports = [one.port, other.port];
  const origin = { url: `http://127.0.0.1:${one.port}` };
  await server.call(`PUT /zones/${zone.id}/edge`, { origin, protect: false });
  const workspace = new Workspace(setting, 'site', providerPath);
  const { account_id } = server.facts;
  workspace.write('site.tf', writeSite({ account_id, zone, ports }));
  const shown: ShownResult[] = [];
  try {
    await workspace.apply();
    await workspace.expectNoChanges();
    const call = async (route: string, body?: unknown): Promise<unknown> =>
      (await server.call(route, body)).result;
    const edgePort = Number(new URL(server.facts.edge).port);
    shown.push(...(await showSite({ zone: { ...zone, plan: 'enterprise' }, edgePort, call })));
    await workspace.destroy();
    return { shown };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { shown, problem: error.message };
  }
}

interface SiteFacts {
  readonly account_id: string;
  readonly zone: { readonly id: string; readonly name: string };
  readonly ports: readonly number[];
}

function writeSite({ account_id, zone, ports }: SiteFacts): string {
  const rulesets = [...listRulesets()].map(([phase, rules]) =>
    writeResource(generation, 'ruleset', {
      name: phase,
      content: {
        zone_id: zone.id,
        name: 'default',
        description: 'a site',
        kind: 'zone',
        phase,
        rules: rules.map((rule) => {
          const { ref } = rule as { readonly ref: string };
          return { ...rule, description: ref, enabled: true };
        }),
      },
    }),
  );
  const balancers = listPools(ports).flatMap(({ name, origins }) => {
    const pool = new Reference(`cloudflare_load_balancer_pool.${name}.id`);
    const pools = { default_pools: [pool], fallback_pool: pool };
    return [
      writeResource(generation, 'load_balancer_pool', {
        name,
        content: {
          account_id,
          name: `${name}-${zone.id.slice(-6)}`,
          origins: origins.map((each) => ({ ...each, enabled: true })),
        },
      }),
      writeResource(generation, 'load_balancer', {
        name,
        content: { zone_id: zone.id, name: `${name}.${zone.name}`, proxied: true, ...pools },
      }),
    ];
  });
  return [...rulesets, ...balancers].join('\n');
}
