/**
 * What the walk over all pages looks at: the sites and the history of `gatehouse demo`, and of everything that it has none of,
 * something: lists, tokens, legacy rules, a migration in each of its steps, pools, page rules.
 */
import { equal } from 'node:assert/strict';
import { ApiClient } from '../../../src/cli/api/api-client.ts';
import { writeHistory } from '../../../src/cli/demo/history.ts';
import { createSites } from '../../../src/cli/demo/sample-sites.ts';
import { eventually } from '../../eventually.ts';
import { createEvent, recordEvents } from '../activity-log.ts';
import { DashboardSite } from '../dashboard-site.ts';
import type { LaunchOptions } from '../launch-browser.ts';
import { MigrationZone } from '../migration-zone.ts';
import { stillMs } from './still-clock.ts';

/** Ids by what stands in the paths of stops. */
export type Names = Readonly<
  Record<'shop' | 'old' | 'tried' | 'list' | 'event' | 'rule' | 'ruleset', string>
>;

export interface SampleSite extends AsyncDisposable {
  readonly site: DashboardSite;
  readonly names: Names;
}

export async function openSampleSite(browser: LaunchOptions = {}): Promise<SampleSite> {
  await using opened = new AsyncDisposableStack();
  const site = opened.use(await DashboardSite.open({}, browser));
  const { api: url, token = '', account_id: accountId } = site.program.ready;
  const headers = { authorization: `Bearer ${token}` };
  const api = opened.use(new ApiClient({ url, headers }));
  const zones = await createSites(api, site.originUrl);
  await writeHistory({ api, accountId, token, zones, nowMs: stillMs });
  const shop = zones['shop.example'];
  const old = await MigrationZone.create(site, 'old.example', 'pro');
  const rule = await old.bypass('http.request.uri.path contains "/health"', 'Checks of the hoster');
  const tried = await createTriedZone(site);
  const list = await fillAccount(site);
  await fillShop(site, shop);
  const [newest] = await askFor(site, `GET /zones/${shop}/security/events?since=1d&limit=1`);
  const rulesets = await askFor(site, `GET /zones/${shop}/rulesets`);
  const ruleset = rulesets.find(({ kind }: { kind: string }) => kind === 'managed').id;
  const names = { shop, old: old.id, tried: tried.id, list, event: newest.id, rule, ruleset };
  const all = opened.move();
  return { site, names, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

async function askFor(site: DashboardSite, route: string, body?: unknown): Promise<any> {
  const { success, errors, result } = await site.call(route, body);
  equal(success, true, `${route}: ${JSON.stringify(errors)}`);
  return result;
}

/** Both generations run; on one of two requests they differ. */
async function createTriedZone(site: DashboardSite): Promise<MigrationZone> {
  const zone = await MigrationZone.create(site, 'tried.example', 'enterprise');
  await zone.send('waf_migration=validation&watch=true');
  const pairs = [
    ['/server-status', 'Probe - server status and information pages', 'log'],
    ['/backup.sql', 'Probe - backup of a site or a database', 'block'],
  ] as const;
  await recordEvents(
    site,
    zone.id,
    pairs.flatMap(([clientRequestPath, description, action], index) => {
      const ray = `${index}`.padStart(16, '0');
      const common = { rayName: ray, clientRequestPath, description, clientRequestHTTPHost: zone.name };
      return [
        { event: createEvent({ ...common, source: 'waf', ruleId: `10000${index}` }) },
        { event: createEvent({ ...common, source: 'firewallManaged', action }) },
      ];
    }),
  );
  await eventually(async () => (await zone.readEvents()).length === 4);
  return zone;
}

async function fillAccount(site: DashboardSite): Promise<string> {
  const account = `/accounts/${site.program.ready.account_id}`;
  const { id } = await askFor(site, `POST ${account}/rules/lists`, {
    name: 'office',
    kind: 'ip',
    description: 'Where we work from',
  });
  await askFor(site, `POST ${account}/rules/lists/${id}/items`, [
    { ip: '192.0.2.1', comment: 'Front desk' },
    { ip: '192.0.2.2', comment: 'Workshop' },
    { ip: '198.51.100.0/24', comment: 'Over the tunnel' },
  ]);
  await eventually(async () => (await askFor(site, `GET ${account}/rules/lists/${id}/items`)).length === 3);
  return id;
}

async function fillShop(site: DashboardSite, shop: string): Promise<void> {
  const account = `/accounts/${site.program.ready.account_id}`;
  await askFor(site, `POST /zones/${shop}/firewall/access_rules/rules`, {
    mode: 'block',
    configuration: { target: 'ip', value: '203.0.113.77' },
    notes: 'Tried every password',
  });
  await askFor(site, `POST /zones/${shop}/firewall/lockdowns`, {
    urls: ['shop.example/admin*'],
    configurations: [{ target: 'ip', value: '192.0.2.1' }],
    description: 'The office only',
  });
  await askFor(site, `POST /zones/${shop}/firewall/ua_rules`, {
    mode: 'challenge',
    configuration: { target: 'ua', value: 'python-requests/2.33' },
    description: 'Scripts that say so',
  });
  await askFor(site, `POST /zones/${shop}/pagerules`, {
    targets: [{ target: 'url', constraint: { operator: 'matches', value: 'shop.example/static/*' } }],
    actions: [{ id: 'browser_check', value: 'off' }],
    status: 'active',
  });
  const monitor = await askFor(site, `POST ${account}/load_balancers/monitors`, {
    type: 'http',
    path: '/health',
    description: 'Front page',
  });
  const pool = await askFor(site, `POST ${account}/load_balancers/pools`, {
    name: 'primary',
    origins: [
      { name: 'one', address: '192.0.2.20', enabled: false },
      { name: 'two', address: '192.0.2.21', enabled: false },
    ],
    monitor: monitor.id,
    enabled: false,
  });
  await askFor(site, `POST /zones/${shop}/load_balancers`, {
    name: 'balanced.shop.example',
    default_pools: [pool.id],
    fallback_pool: pool.id,
  });
}
