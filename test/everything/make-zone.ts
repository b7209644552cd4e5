/** Everything that a zone can have: rules of both generations, settings, certificates, events and learned values. */
import { createAuthority, issueCertificate } from '#certificates';
import { parseIp } from '#addresses';
import { Batch } from '#learning';
import { createEvent } from '../dashboard/activity-log.ts';
import { domain } from '../wrangler/upload-site.ts';
import type { Made, Maker } from './maker.ts';

const expression = 'http.request.uri.path eq "/made"';
const custom = 'http_request_firewall_custom';

/** Two zones: one with rulesets, one with legacy rules. Returns their ids and those of their resources. */
export async function makeZones(
  maker: Maker,
  lists: { readonly ip: string },
): Promise<Record<string, string>> {
  const modern = await createZone(maker, 'modern.example', 'enterprise');
  // Of the host names of Workers.
  const zones: readonly Made[] = await maker.do('zones.list');
  if (!zones.some(({ name }) => name === domain)) await createZone(maker, domain, 'enterprise');
  const legacy = await createZone(maker, 'legacy.example', 'enterprise');
  return {
    zone_id: modern,
    legacy_zone_id: legacy,
    ...(await makeSettings(maker, modern)),
    ...(await makeRulesets(maker, modern, lists)),
    ...(await makeFirewall(maker, modern)),
    ...(await makeLegacy(maker, legacy)),
    ...(await makeRecords(maker, modern)),
  };
}

async function createZone(maker: Maker, name: string, plan: string): Promise<string> {
  const { id } = await maker.do('zones.create', {}, { name, account: { id: maker.site.accountId } });
  await maker.do('zones.subscribe', { zone_id: id }, { rate_plan: { id: plan } });
  return id;
}

async function makeSettings(maker: Maker, zone_id: string): Promise<Record<string, string>> {
  const zone = { zone_id };
  await maker.do('zones.edit', zone, { paused: true });
  await maker.do('zones.edit', zone, { paused: false });
  await maker.do('settings.editMany', zone, { items: [{ id: 'security_level', value: 'high' }] });
  await maker.do('settings.edit', { ...zone, setting_id: 'browser_check' }, { value: 'off' });
  await maker.do('urlNormalization.update', zone, { type: 'cloudflare', scope: 'both' });
  await maker.do('universalSsl.edit', zone, { enabled: false });
  await maker.do('edge.update', zone, {
    origin: { url: 'http://127.0.0.1:9' },
    learning: 'watching',
  });
  const now = Date.now();
  const issued = issueCertificate(createAuthority('Test authority', now), ['modern.example'], now);
  const certificate = await maker.do('customCertificates.create', zone, {
    certificate: issued.certificate.toString(),
    private_key: String(issued.privateKey.export({ type: 'pkcs8', format: 'pem' })),
  });
  const [plan] = await maker.do('zones.listPlans', zone);
  return { plan_id: plan.id, custom_certificate_id: certificate.id, setting_id: 'browser_check' };
}

async function makeRulesets(
  maker: Maker,
  zone_id: string,
  lists: { readonly ip: string },
): Promise<Record<string, string>> {
  const zone = { zone_id };
  const enter = (ruleset_phase: string, rules: readonly object[]): Promise<Made> =>
    maker.do('rulesets.updateEntryPoint', { ...zone, ruleset_phase }, { rules });
  const entry = await enter(custom, [
    { action: 'block', expression: `ip.src in $${lists.ip}`, description: 'Those on the list' },
    { action: 'skip', expression, action_parameters: { ruleset: 'current' }, logging: { enabled: true } },
  ]);
  for (const action of ['challenge', 'js_challenge', 'managed_challenge', 'log'])
    await maker.do(
      'rulesets.addRule',
      { ...zone, ruleset_id: entry.id },
      { action, expression: `http.request.uri.path eq "/${action}"`, description: action },
    );
  await maker.do('rulesets.restoreVersion', { ...zone, ruleset_id: entry.id, ruleset_version: '2' }, {});
  const limited = await enter('http_ratelimit', [
    {
      action: 'block',
      expression,
      ratelimit: {
        characteristics: ['ip.src', 'cf.colo.id'],
        period: 60,
        requests_per_period: 100,
        mitigation_timeout: 60,
      },
    },
  ]);
  const managed: readonly Made[] = await maker.do('rulesets.list', zone);
  const { id: managedId } = managed.find(({ kind }: Made) => kind === 'managed');
  await enter('http_request_firewall_managed', [
    {
      action: 'execute',
      expression: 'true',
      action_parameters: { id: managedId, overrides: { enabled: true } },
    },
  ]);
  await enter('gatehouse_ask', [
    {
      description: 'Who is signed in',
      expression: 'starts_with(http.request.uri.path, "/account")',
      action: 'forward_auth',
      action_parameters: { url: 'https://auth.example/check', default_action: 'pass' },
    },
  ]);
  await enter('http_response_headers_transform', [
    {
      action: 'rewrite',
      expression: 'true',
      action_parameters: { headers: { 'X-Made': { operation: 'set', value: 'yes' } } },
    },
  ]);
  return { ruleset_id: entry.id, ruleset_phase: custom, ruleset_version: '1', limit_ruleset_id: limited.id };
}

async function makeFirewall(maker: Maker, zone_id: string): Promise<Record<string, string>> {
  const zone = { zone_id };
  const access = await maker.do('accessRules.create', zone, {
    mode: 'block',
    configuration: { target: 'ip', value: '203.0.113.77' },
    notes: 'Tried every password',
  });
  const lockdown = await maker.do('lockdowns.create', zone, {
    urls: ['modern.example/admin*'],
    configurations: [{ target: 'ip', value: '192.0.2.1' }],
    description: 'The office only',
  });
  const agent = await maker.do('userAgentRules.create', zone, {
    mode: 'challenge',
    configuration: { target: 'ua', value: 'python-requests/2.33' },
    description: 'Scripts',
  });
  const page = await maker.do('pageRules.create', zone, {
    targets: [{ target: 'url', constraint: { operator: 'matches', value: 'modern.example/static/*' } }],
    actions: [{ id: 'browser_check', value: 'off' }],
    status: 'active',
  });
  const job = await maker.do('logpush.create', zone, {
    name: 'to-siem',
    dataset: 'firewall_events',
    destination_conf: 'https://logs.example/in',
    enabled: false,
  });
  return {
    access_rule_id: access.id,
    lock_downs_id: lockdown.id,
    ua_rule_id: agent.id,
    pagerule_id: page.id,
    job_id: String(job.id),
    dataset_id: 'firewall_events',
  };
}

async function makeLegacy(maker: Maker, zone_id: string): Promise<Record<string, string>> {
  const zone = { zone_id };
  const [filter] = await maker.do('filters.create', zone, [{ expression, description: 'A filter' }]);
  const [rule] = await maker.do('firewallRules.create', zone, [
    {
      filter: { expression: `${expression} or ip.src eq 192.0.2.7` },
      action: 'block',
      description: 'A rule',
    },
  ]);
  await maker.do(
    'firewallRules.except',
    { ...zone, rule_id: rule.id },
    {
      expression: 'http.request.uri.path eq "/spared"',
    },
  );
  const limit = await maker.do('rateLimits.create', zone, {
    threshold: 60,
    period: 60,
    match: { request: { url: 'legacy.example/login' } },
    action: { mode: 'ban', timeout: 60 },
  });
  const packages: readonly Made[] = await maker.do('wafPackages.list', zone);
  const old = packages.find(({ detection_mode }: Made) => detection_mode === 'anomaly');
  if (old !== undefined)
    await maker.do('wafPackages.edit', { ...zone, package_id: old.id }, { sensitivity: 'low' });
  const { id: package_id } = packages.find(({ detection_mode }: Made) => detection_mode !== 'anomaly')!;
  const [group] = await maker.do('wafGroups.list', { ...zone, package_id });
  await maker.do(
    'wafGroups.edit',
    { ...zone, package_id, group_id: group.id },
    { mode: group.mode === 'on' ? 'off' : 'on' },
  );
  const [wafRule] = await maker.do('wafRules.list', { ...zone, package_id });
  await maker.do(
    'wafRules.edit',
    { ...zone, package_id, rule_id: wafRule.id },
    {
      mode: wafRule.allowed_modes.find((mode: string) => mode !== wafRule.mode),
    },
  );
  const override = await maker.do('wafOverrides.create', zone, {
    urls: ['legacy.example/upload*'],
    rules: { '100001': 'disable' },
  });
  return {
    filter_id: filter.id,
    firewall_rule_id: rule.id,
    rate_limit_id: limit.id,
    package_id,
    group_id: group.id,
    waf_rule_id: wafRule.id,
    override_id: override.id,
  };
}

/** Reports of edges: events, counts, values of parameters. */
async function makeRecords(maker: Maker, zone_id: string): Promise<Record<string, string>> {
  const zone = { zone_id };
  const event = createEvent({ clientRequestHTTPHost: 'modern.example' });
  await maker.do('edge.record', {}, { zone_id, events: [{ event }] });
  await maker.do(
    'traffic.record',
    {},
    {
      batch: 'an edge elsewhere 1',
      rows: [{ zone_id, minute: Math.floor(Date.now() / 60_000) - 5, counts: [3] }],
    },
  );
  await maker.do(
    'objects.putValue',
    { class_name: 'Zone', object: zone_id },
    {
      key: 'made',
      value: '"by hand"',
      confirm: 'modern.example',
    },
  );
  const view = await maker.do('savedViews.create', zone, {
    name: 'Blocked',
    search: { expression: 'action eq "block"' },
  });
  const seed = await readSeed(maker, zone_id);
  const batch = new Batch(seed);
  for (let network = 0; network < 30; network++)
    batch.add({
      ip: parseIp(`10.0.${network}.1`)!,
      path: '/product/17',
      values: [{ place: 'argument', name: 'id', value: '17' }],
      day: Math.floor(Date.now() / 86_400_000),
    });
  await maker.do('edgeLearning.add', {}, { zone_id, ...batch.toMessage() });
  return { event_id: event.id, view_id: view.id };
}

/** The secret with which edges hash networks, from the feed of edges. */
async function readSeed(maker: Maker, zoneId: string): Promise<string> {
  const { body } = await maker.send('edge.feed', {});
  let text = '';
  for await (const piece of body!.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const found = new RegExp(`"id":"${zoneId}".*"learned":\\{"seed":"(\\w+)"`).exec(text)?.[1];
    if (found !== undefined) return found;
  }
  throw new Error('the feed has ended');
}
