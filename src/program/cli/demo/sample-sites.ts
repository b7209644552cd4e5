/** The sites of the demo and their rules, created through the API like those of any user. */
import type { ApiClient } from '../api/api-client.ts';
import { type DemoSite, sites } from './requests.ts';

/** The plan with all managed rules, and events of thirty days. */
const plan = 'enterprise';

export type DemoZones = Readonly<Record<DemoSite, string>>;

export async function createSites(api: ApiClient, origin: string): Promise<DemoZones> {
  // The zones of a first start have no traffic.
  for await (const { id } of api.list('/zones', {})) await api.delete('/zones/{zone_id}', { zone_id: id });
  const pairs = await Promise.all(
    sites.map(async (name) => {
      const { result: zone } = await api.post('/zones', { body: { name } });
      await api.post('/zones/{zone_id}/protection', {
        zone_id: zone.id,
        body: { origin: { url: origin }, plan },
      });
      return [name, zone.id] as const;
    }),
  );
  const zones = Object.fromEntries(pairs) as DemoZones;
  await createRules(api, zones['shop.example']);
  return zones;
}

async function createRules(api: ApiClient, zone_id: string): Promise<void> {
  await api.put('/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint', {
    zone_id,
    ruleset_phase: 'http_request_firewall_custom',
    body: {
      rules: [
        {
          description: 'The admin pages are for the office',
          expression: 'starts_with(http.request.uri.path, "/admin") and not ip.src in {192.0.2.1 192.0.2.2}',
          action: 'block',
        },
        {
          description: 'Block files with secrets of a deployment',
          expression: 'http.request.uri.path in {"/.env" "/.git/config"}',
          action: 'block',
        },
        {
          description: 'Scanners that name themselves',
          expression: 'http.user_agent contains "sqlmap" or http.user_agent contains "zgrab"',
          action: 'managed_challenge',
        },
        {
          description: 'Orders from where we do not deliver',
          expression: 'http.request.uri.path eq "/checkout" and ip.src.country in {"RO" "SG"}',
          action: 'log',
        },
        {
          description: 'The old campaign page',
          expression: 'http.request.uri.path eq "/summer-2019"',
          action: 'block',
        },
      ],
    },
  });
  await api.put('/zones/{zone_id}/rulesets/phases/{ruleset_phase}/entrypoint', {
    zone_id,
    ruleset_phase: 'http_ratelimit',
    body: {
      rules: [
        {
          description: 'Limit password guessing',
          expression: 'http.request.uri.path eq "/login"',
          action: 'block',
          ratelimit: {
            characteristics: ['cf.colo.id', 'ip.src'],
            period: 60,
            requests_per_period: 20,
            mitigation_timeout: 60,
          },
        },
      ],
    },
  });
}
