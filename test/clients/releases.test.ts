/**
 * Requests and responses of client releases, call by call. `npm run clients` runs those that can be built; the others
 * are replayed here: providers 3.35.0, 4.52.8 and 5.22.0, and the SDK for Go.
 */
import { deepEqual, equal } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ActingId } from '#zone-settings';
import { TestControl } from '../control/harness.ts';

let control: TestControl;
let account: { readonly id: string };
before(async () => {
  control = await TestControl.open();
  account = { id: control.control.directory.accountId };
});
after(() => control.close());

test('zones.create takes paused and vanity_name_servers, which provider 5.22 sends with every zone', async () => {
  const body = { name: 'five.example', account, paused: false, type: 'full' };
  const made = await control.call('POST /zones', { body });
  deepEqual([made.status, made.errors], [200, []]);
  equal(made.result.paused, false);

  const paused = await control.call('POST /zones', {
    body: { ...body, name: 'paused.example', paused: true, vanity_name_servers: [] },
  });
  deepEqual([paused.status, paused.result.paused], [200, true]);
  // It must read the values that it plans.
  equal((await control.call(`GET /zones/${paused.result.id}`)).result.paused, true);

  const vain = { ...body, name: 'vain.example', vanity_name_servers: ['ns1.vain.example'] };
  const { status, errors } = await control.call('POST /zones', { body: vain });
  deepEqual([status, errors[0]!.source?.pointer], [400, '/vanity_name_servers']);
  deepEqual((await control.call('GET /zones?name=vain.example')).result, []);
});

test('settings.get has every setting that a release of provider 4 reads one by one', async () => {
  const settings = `/zones/${control.zone('pro')}/settings`;
  // 4.52.8 reads these before it changes any; 3.35.0 those up to origin_max_http_version.
  const alone = [
    'binary_ast',
    'h2_prioritization',
    'image_resizing',
    'early_hints',
    'origin_max_http_version',
    'fonts',
    'nel',
    'replace_insecure_js',
    'speed_brain',
    'aegis',
    'ssl_automatic_mode',
  ];
  for (const id of alone) {
    const { status, result } = await control.call(`GET ${settings}/${id}`);
    deepEqual([status, result?.id], [200, id], id);
  }
  const automatic = await control.call(`GET ${settings}/ssl_automatic_mode`);
  equal(automatic.result.value, 'custom');
});

/** Of each setting that acts, a value that is not its default. */
const otherValues = {
  ssl: 'full',
  always_use_https: 'on',
  min_tls_version: '1.3',
  tls_1_3: 'on',
  ciphers: ['ECDHE-ECDSA-AES128-GCM-SHA256'],
  http2: 'off',
  security_header: {
    strict_transport_security: {
      enabled: true,
      max_age: 86_400,
      include_subdomains: true,
      preload: false,
      nosniff: true,
    },
  },
  websockets: 'off',
  ip_geolocation: 'off',
  true_client_ip_header: 'on',
  pseudo_ipv4: 'add_header',
  browser_check: 'on',
  hotlink_protection: 'on',
  security_level: 'under_attack',
  challenge_ttl: 2_700,
  max_upload: 500,
  proxy_read_timeout: '30',
  brotli: 'on',
  development_mode: 'on',
  tls_client_auth: 'on',
  waf: 'on',
} as const satisfies Record<ActingId, unknown>;

/** The settings of a zone by id. */
async function readSettings(zoneId: string): Promise<Map<string, { value: unknown; editable: boolean }>> {
  const { result } = await control.call(`GET /zones/${zoneId}/settings`);
  return new Map(
    (result as { id: string; value: unknown; editable: boolean }[]).map((each) => [each.id, each]),
  );
}

test('settings.editMany does what cloudflare_zone_settings_override of provider 4.52 asks: apply, read, plan, destroy', async () => {
  const zoneId = control.zone('enterprise');
  const initial = await readSettings(zoneId);
  // It refuses by itself to send a setting that is not editable, at create even with the value that it has.
  for (const id of Object.keys(otherValues)) equal(initial.get(id)?.editable, true, id);
  const send = (values: Readonly<Record<string, unknown>>) => {
    const items = Object.entries(values).map(([id, value]) => ({
      id,
      editable: false,
      modified_on: '',
      value,
      time_remaining: 0,
    }));
    return control.call(`PATCH /zones/${zoneId}/settings`, { body: { items } });
  };
  const applied = await send(otherValues);
  deepEqual([applied.status, applied.errors], [200, []]);
  const read = await readSettings(zoneId);
  for (const [id, value] of Object.entries(otherValues)) deepEqual(read.get(id)?.value, value, id);
  // A second apply, with nothing to change, leaves nothing to change.
  equal((await send(otherValues)).status, 200);
  deepEqual(await readSettings(zoneId), read);
  // At the end it restores the initial values.
  const before = Object.fromEntries(Object.keys(otherValues).map((id) => [id, initial.get(id)!.value]));
  equal((await send(before)).status, 200);
  const after = await readSettings(zoneId);
  for (const [id, value] of Object.entries(before)) deepEqual(after.get(id)?.value, value, id);
});

test('settings.edit does what cloudflare_zone_setting of provider 5 asks: each by itself, read and imported by its id', async () => {
  const settings = `/zones/${control.zone('enterprise')}/settings`;
  for (const [id, value] of Object.entries(otherValues)) {
    const { status, errors, result } = await control.call(`PATCH ${settings}/${id}`, { body: { value } });
    deepEqual([status, errors, result?.value], [200, [], value], id);
    const read = await control.call(`GET ${settings}/${id}`);
    deepEqual([read.result.id, read.result.value, read.result.editable], [id, value, true]);
  }
});

test('lists.appendItems takes an empty ip beside a redirect, which provider 3.35 sends', async () => {
  const lists = `/accounts/${account.id}/rules/lists`;
  const made = await control.call(`POST ${lists}`, {
    body: { name: 'moved', description: '', kind: 'redirect' },
  });
  const redirect = { source_url: 'three.example/a', target_url: 'https://three.example/b' };
  const { status, errors } = await control.call(`POST ${lists}/${made.result.id}/items`, {
    body: [{ ip: '', redirect, comment: '' }],
  });
  deepEqual([status, errors], [201, []]);

  const addresses = await control.call(`POST ${lists}`, { body: { name: 'empty', kind: 'ip' } });
  const refused = await control.call(`POST ${lists}/${addresses.result.id}/items`, { body: [{ ip: '' }] });
  deepEqual([refused.status, refused.errors[0]!.source?.pointer], [400, '/0']);
});

test('rulesets.create and update take null for no rules, which the SDK for Go and its providers send', async () => {
  const rulesets = `/zones/${control.zone('pro')}/rulesets`;
  const phase = 'http_request_firewall_custom';
  const body = { name: 'default', kind: 'zone', phase, rules: null };
  const made = await control.call(`POST ${rulesets}`, { body });
  deepEqual([made.status, made.errors, made.result?.rules], [200, [], []]);
  const rules = [{ action: 'block', expression: 'true', enabled: true }];
  const entryPoint = `${rulesets}/phases/${phase}/entrypoint`;
  equal((await control.call(`PUT ${entryPoint}`, { body: { rules } })).result.rules.length, 1);
  for (const path of [entryPoint, `${rulesets}/${made.result.id}`]) {
    const emptied = await control.call(`PUT ${path}`, { body: { description: '', rules: null } });
    deepEqual([emptied.status, emptied.result?.rules], [200, []]);
  }
});

test('tokens.create takes permission groups back as they are listed, as the SDK for Go sends them', async () => {
  const groups = (await control.call('GET /user/tokens/permission_groups')).result as { name: string }[];
  const group = groups.find(({ name }) => name === 'Zone Read');
  const policy = {
    effect: 'allow',
    resources: { [`com.cloudflare.api.account.zone.${control.zone('pro')}`]: '*' },
    permission_groups: [group],
  };
  const made = await control.call('POST /user/tokens', { body: { name: 'go', policies: [policy] } });
  deepEqual([made.status, made.errors], [200, []]);
  const read = await control.call(`GET /user/tokens/${made.result.id}`);
  const updated = await control.call(`PUT /user/tokens/${made.result.id}`, { body: read.result });
  deepEqual([updated.status, updated.errors], [200, []]);
});

test('tokens.create takes a status, and listPermissionGroups a name that is encoded twice, as provider 5.22 sends them', async () => {
  // In its documentation, the name in the configuration is already encoded, and it encodes that again.
  const listed = await control.call('GET /user/tokens/permission_groups?name=Zone%2520Read');
  deepEqual(
    (listed.result as { name: string }[]).map(({ name }) => name),
    ['Zone Read'],
  );
  deepEqual((await control.call('GET /user/tokens/permission_groups?name=100%25')).result, []);
  const policy = {
    effect: 'allow',
    resources: { [`com.cloudflare.api.account.zone.${control.zone('pro')}`]: '*' },
    permission_groups: [{ id: listed.result[0]?.id }],
  };
  const body = { name: 'five', policies: [policy], status: 'disabled' };
  const made = await control.call('POST /user/tokens', { body });
  deepEqual([made.status, made.errors, made.result?.status], [200, [], 'disabled']);
});

test('no list refuses the page size that a client asks for by itself', async () => {
  const zone = `/zones/${control.zone('enterprise')}`;
  const lists = `/accounts/${account.id}/rules/lists`;
  const list = await control.call(`POST ${lists}`, { body: { name: 'paged', kind: 'ip' } });
  const signatures = '1e334934fd7ae32ad705667f8c1057aa';
  const asked: Readonly<Record<string, number>> = {
    // The SDK for Go, and with it providers 3 and 4, cf-terraforming and flarectl. The SDKs for TypeScript and Python
    // request none.
    '/zones': 50,
    [`${zone}/filters`]: 50,
    [`${zone}/firewall/rules`]: 50,
    [`${zone}/firewall/waf/packages`]: 100,
    [`${zone}/firewall/waf/packages/${signatures}/groups`]: 100,
    [`${zone}/firewall/waf/packages/${signatures}/rules`]: 100,
    [`${zone}/firewall/waf/overrides`]: 100,
    // Provider 5.
    [`${lists}/${list.result.id}/items`]: 500,
  };
  for (const [path, size] of Object.entries(asked))
    equal((await control.call(`GET ${path}?per_page=${size}&page=1`)).status, 200, path);
});

test('load balancers, pools and monitors take what provider 4.52 and the SDK for Go send, and answer what they plan', async () => {
  const path = `/accounts/${account.id}/load_balancers`;
  const monitor = await control.call(`POST ${path}/monitors`, {
    body: {
      type: 'http',
      description: '',
      method: 'GET',
      path: '/',
      header: null,
      timeout: 5,
      retries: 2,
      interval: 60,
      consecutive_up: 0,
      consecutive_down: 0,
      port: 0,
      expected_body: '',
      expected_codes: '2xx',
      follow_redirects: false,
      allow_insecure: false,
      probe_zone: '',
    },
  });
  deepEqual([monitor.status, monitor.result.port], [200, undefined]);
  const sent = {
    name: 'one',
    address: 'one.example',
    enabled: true,
    weight: 1,
    header: { Host: ['one.example'] },
  };
  const pool = await control.call(`POST ${path}/pools`, {
    body: {
      name: 'released',
      description: '',
      enabled: true,
      minimum_origins: 1,
      monitor: monitor.result.id,
      origins: [sent],
      notification_email: '',
      check_regions: null,
      load_shedding: { default_percent: 0, default_policy: '', session_percent: 0, session_policy: '' },
      origin_steering: { policy: 'random' },
    },
  });
  deepEqual(
    [pool.status, pool.result.origins, pool.result.monitor],
    [200, [{ ...sent, flatten_cname: true }], monitor.result.id],
  );
  const zone = control.zone('pro');
  const name = control.control.directory.zones.get(zone)!.name;
  const balancer = await control.call(`POST /zones/${zone}/load_balancers`, {
    body: {
      name: `lb.${name}`,
      description: '',
      fallback_pool: pool.result.id,
      default_pools: [pool.result.id],
      region_pools: {},
      pop_pools: {},
      country_pools: {},
      proxied: true,
      enabled: true,
      session_affinity: 'cookie',
      session_affinity_ttl: 1_800,
      session_affinity_attributes: { samesite: 'Auto', secure: 'Auto', drain_duration: 0 },
      rules: [],
      steering_policy: 'off',
      adaptive_routing: { failover_across_pools: false },
      location_strategy: { prefer_ecs: 'proximity', mode: 'pop' },
      random_steering: { default_weight: 1 },
    },
  });
  deepEqual([balancer.status, balancer.errors], [200, []]);
  const read = await control.call(`GET /zones/${zone}/load_balancers/${balancer.result.id}`);
  deepEqual(read.result, balancer.result);
  deepEqual([read.result.session_affinity_ttl, read.result.steering_policy], [1_800, 'off']);
});
