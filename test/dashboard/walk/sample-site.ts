/**
 * The data for the walk over all pages: the sites and the history of `gatehouse demo`, and examples of everything that
 * the demo lacks: lists, tokens, legacy rules, a migration in each of its steps, pools, page rules.
 */
import { equal } from 'node:assert/strict';
import { ApiClient } from '../../../src/program/cli/api/api-client.ts';
import { writeHistory } from '../../../src/program/cli/demo/history.ts';
import { createSites } from '../../../src/program/cli/demo/sample-sites.ts';
import { eventually } from '../../eventually.ts';
import { createEvent, recordEvents } from '../activity-log.ts';
import { DashboardSite } from '../dashboard-site.ts';
import { teachValues } from '../learned-values.ts';
import type { LaunchOptions } from '../launch-browser.ts';
import { createAuthority, issueCertificate } from '#certificates';
import { createForm, domain } from '../../wrangler/upload-site.ts';
import { MigrationZone } from '../migration-zone.ts';
import { stillMs } from './still-clock.ts';

/** Ids by the placeholders in the paths of stops. */
export type Names = Readonly<
  Record<'shop' | 'old' | 'tried' | 'list' | 'event' | 'rule' | 'ruleset' | 'custom', string> &
    Record<'plain' | 'big' | 'review' | 'feed' | 'shared' | 'learned', string> &
    /** Empty if they were not requested. */
    Record<'kv' | 'database', string>
>;

export interface SampleSite extends AsyncDisposable {
  readonly site: DashboardSite;
  readonly names: Names;
}

interface SampleOptions extends LaunchOptions {
  /** Also a Worker and stores, whose pages are not checked in every run of the tests. */
  readonly isWhole?: boolean;
}

export async function openSampleSite({
  isWhole = false,
  ...browser
}: SampleOptions = {}): Promise<SampleSite> {
  await using opened = new AsyncDisposableStack();
  const flags = { 'workers-domain': domain, 'object-writes': 'true' };
  const site = opened.use(await DashboardSite.open(flags, browser));
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
  const entry = await askFor(site, `GET /zones/${shop}/rulesets/phases/${customPhase}/entrypoint`);
  const names = {
    ...{ shop, old: old.id, tried: tried.id, list, event: newest.id, rule, ruleset },
    custom: entry.rules[0].id,
    ...(await fillTheRest(site, shop, old)),
    learned: await learnValues(site, zones['api.example']),
    ...(isWhole ? await fillStores(site) : { kv: '', database: '' }),
  };
  const all = opened.move();
  return { site, names, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

const customPhase = 'http_request_firewall_custom';

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

/** Something to change and to delete on every page. */
async function fillTheRest(
  site: DashboardSite,
  shop: string,
  old: MigrationZone,
): Promise<Pick<Names, 'plain' | 'big' | 'review' | 'feed' | 'shared'>> {
  const account = `/accounts/${site.program.ready.account_id}`;
  await old.do('POST /filters', [{ expression: 'http.request.uri.path eq "/unused"' }]);
  await askFor(site, `POST ${account}/load_balancers/pools`, {
    name: 'spare',
    origins: [{ name: 'one', address: '192.0.2.30', enabled: false }],
    enabled: false,
  });
  await askFor(site, `POST ${account}/load_balancers/monitors`, { type: 'http', path: '/spare' });
  await fillOwners(site, account);
  await askFor(site, `PUT /zones/${shop}/rulesets/phases/gatehouse_ask/entrypoint`, {
    rules: [
      {
        description: 'Who is signed in',
        expression: 'starts_with(http.request.uri.path, "/account")',
        action: 'forward_auth',
        action_parameters: { url: 'https://auth.example/check', default_action: 'pass' },
      },
    ],
  });
  await makeException(site, shop);
  await askFor(site, `POST /zones/${shop}/logpush/jobs`, {
    name: 'to-siem',
    dataset: 'firewall_events',
    destination_conf: 'https://logs.example/in',
  });
  await askFor(site, `PUT ${account}/objects/Zone/${shop}/value`, {
    key: 'greeting',
    value: '"hello"',
    confirm: 'shop.example',
  });
  const review = await MigrationZone.create(site, 'review.example', 'enterprise');
  await review.do('POST /firewall/waf/overrides', {
    urls: ['review.example/upload*'],
    rules: { '100001': 'disable' },
  });
  const big = await MigrationZone.create(site, 'big.example', 'enterprise');
  return {
    plain: await createPlainZone(site),
    big: big.id,
    review: review.id,
    feed: await createFeed(site, account),
    shared: await createShared(site, account),
  };
}

async function fillOwners(site: DashboardSite, account: string): Promise<void> {
  const groups = await askFor(site, 'GET /user/tokens/permission_groups');
  await askFor(site, 'POST /user/tokens', {
    name: 'Deploys',
    policies: [
      {
        effect: 'allow',
        resources: { 'com.cloudflare.api.account.zone.*': '*' },
        permission_groups: [{ id: groups.find(({ name }: { name: string }) => name === 'Zone Read').id }],
      },
    ],
  });
  const webhook = await askFor(site, `POST ${account}/alerting/v3/destinations/webhooks`, {
    name: 'chat',
    url: `${site.originUrl}/hook`,
  });
  await askFor(site, `POST ${account}/alerting/v3/policies`, {
    name: 'Attacks on any site',
    enabled: true,
    alert_type: 'clickhouse_alert_fw_anomaly',
    mechanisms: { webhooks: [{ id: webhook.id }] },
  });
}

async function learnValues(site: DashboardSite, zone: string): Promise<string> {
  await askFor(site, `PUT /zones/${zone}/edge`, { learning: 'watching' });
  await teachValues(site, zone);
  return zone;
}

async function makeException(site: DashboardSite, shop: string): Promise<void> {
  const phase = `/zones/${shop}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  const { id, rules } = await askFor(site, `GET ${phase}`);
  await askFor(site, `POST /zones/${shop}/rulesets/${id}/rules`, {
    description: 'Uploads of pictures',
    expression: 'http.request.uri.path eq "/upload"',
    action: 'skip',
    action_parameters: { ruleset: 'current' },
    position: { before: rules[0].id },
  });
}

/** Nothing protects it, and it has its own certificate. */
async function createPlainZone(site: DashboardSite): Promise<string> {
  const { id } = await askFor(site, 'POST /zones', { name: 'plain.example' });
  await site.call(`POST /zones/${id}/subscription`, { rate_plan: { id: 'business' } });
  const issued = issueCertificate(createAuthority('Test authority', stillMs), ['plain.example'], stillMs);
  await askFor(site, `POST /zones/${id}/custom_certificates`, {
    certificate: issued.certificate.toString(),
    private_key: String(issued.privateKey.export({ type: 'pkcs8', format: 'pem' })),
  });
  return id;
}

/** Two rulesets of the account, of which one runs. */
async function createShared(site: DashboardSite, account: string): Promise<string> {
  const create = (name: string, rules: readonly object[]) =>
    askFor(site, `POST ${account}/rulesets`, { name, kind: 'custom', phase: customPhase, rules });
  await create('spare', []);
  const { id } = await create('shared', [
    {
      description: 'Scanners that give their name',
      expression: 'http.user_agent contains "sqlmap"',
      action: 'block',
    },
  ]);
  await askFor(site, `PUT ${account}/rulesets/phases/${customPhase}/entrypoint`, {
    rules: [{ action: 'execute', expression: 'cf.zone.plan eq "ENT"', action_parameters: { id } }],
  });
  return id;
}

async function createFeed(site: DashboardSite, account: string): Promise<string> {
  const { id } = await askFor(site, `POST ${account}/rules/lists`, { name: 'feed', kind: 'ip' });
  await askFor(site, `PUT ${account}/rules/lists/${id}/source`, {
    url: `${site.originUrl}/addresses.txt`,
  });
  return id;
}

async function fillStores(site: DashboardSite): Promise<Pick<Names, 'kv' | 'database'>> {
  const account = `/accounts/${site.program.ready.account_id}`;
  const kv = await askFor(site, `POST ${account}/storage/kv/namespaces`, { title: 'sessions' });
  await askFor(site, `PUT ${account}/storage/kv/namespaces/${kv.id}/bulk`, [{ key: 'user:1', value: 'Ada' }]);
  const database = await askFor(site, `POST ${account}/d1/database`, { name: 'orders' });
  await askFor(site, `POST ${account}/queues`, { queue_name: 'mail' });
  await askFor(site, `POST ${account}/r2/buckets`, { name: 'pictures' });
  for (const version of ['first', 'second']) {
    const response = await fetch(`${site.program.ready.api}${account}/workers/scripts/orders`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${site.token}` },
      body: createForm({
        code: 'export default { fetch: () => new Response("ok"), scheduled() {} };',
        metadata: {
          compatibility_date: '2025-11-01',
          bindings: [{ type: 'secret_text', name: 'KEY', text: 'hidden' }],
          annotations: { 'workers/message': `${version} version` },
        },
      }),
    });
    equal(response.status, 200, await response.text());
  }
  await askFor(site, `PUT ${account}/workers/scripts/orders/routes`, [{ pattern: 'shop.example/orders/*' }]);
  return { kv: kv.id, database: database.uuid };
}
