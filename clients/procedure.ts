/**
 * The contract's procedure for configuration as code with resources that it does not change: plan, migrate, plan,
 * import, plan, and no plan has a change. The zone has a page rule for every action, a firewall rule for every action,
 * and filters of every kind.
 */
import { type Facts, type Outcome, outcomeOf } from './case.ts';
import type { ProviderName } from './builds.ts';
import { migrate } from './as-code.ts';
import { type Setting, Workspace } from './workspace.ts';

export const migrationSteps = [
  'apply',
  'plan empty',
  'migrate through the API',
  'plan empty after it',
  'import',
  'plan empty again',
  'destroy',
] as const;

export type MigrationStep = (typeof migrationSteps)[number];

export async function runMigration(
  setting: Setting,
  { provider, path }: { readonly provider: ProviderName; readonly path: string },
): Promise<Map<MigrationStep, Outcome>> {
  const { server } = setting;
  const zone = await server.createZone('enterprise');
  const facts: Facts = { server, zone, accountId: server.facts.account_id, isStandIn: false };
  const workspace = new Workspace(setting, `procedure-${provider}`, path);
  const resources = [
    ...listPageRules(facts, provider),
    ...(provider === 'provider-5' ? [] : listRules(facts)),
  ];
  workspace.write('resources.tf', resources.join('\n'));
  const actions: Readonly<Record<MigrationStep, () => Promise<unknown>>> = {
    apply: async () => {
      await server.call(`PATCH /zones/${zone.id}/settings/waf`, { value: 'on' });
      return await workspace.apply();
    },
    'plan empty': () => workspace.expectNoChanges(),
    'migrate through the API': () => migrate(facts),
    'plan empty after it': () => workspace.expectNoChanges(),
    import: async () => {
      const known = await workspace.listResources();
      const blocks = known.map(
        ({ address, values }) =>
          `import {\n  to = ${address}\n  id = "${zone.id}/${String(values['id'])}"\n}\n`,
      );
      await workspace.tofu(['state', 'rm', ...known.map(({ address }) => address)]);
      workspace.write('import.tf', blocks.join(''));
      await workspace.apply();
    },
    'plan empty again': () => workspace.expectNoChanges(),
    destroy: () => workspace.destroy(),
  };
  const outcomes = new Map<MigrationStep, Outcome>();
  for (const step of migrationSteps) {
    const outcome = await outcomeOf(actions[step]);
    outcomes.set(step, outcome);
    if (outcome !== 'ok') break;
  }
  return outcomes;
}

function resource(type: string, name: string, lines: readonly string[]): string {
  return `resource "${type}" "${name}" {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}

/** Actions that all three generations of the provider have, with values as in a configuration. */
const pageRuleActions: Readonly<Record<string, string>> = {
  always_use_https: 'true',
  automatic_https_rewrites: '"on"',
  browser_check: '"on"',
  bypass_cache_on_cookie: '"session"',
  cache_by_device_type: '"on"',
  cache_deception_armor: '"on"',
  cache_level: '"bypass"',
  cache_on_cookie: '"session"',
  disable_apps: 'true',
  disable_performance: 'true',
  disable_security: 'true',
  edge_cache_ttl: '7200',
  email_obfuscation: '"on"',
  explicit_cache_control: '"on"',
  host_header_override: '"backend.example"',
  ip_geolocation: '"on"',
  mirage: '"on"',
  opportunistic_encryption: '"on"',
  origin_error_page_pass_thru: '"on"',
  polish: '"lossless"',
  resolve_override: '"backend.case.example"',
  respect_strong_etag: '"on"',
  response_buffering: '"on"',
  rocket_loader: '"on"',
  security_level: '"high"',
  sort_query_string_for_cache: '"on"',
  ssl: '"full"',
  true_client_ip_header: '"on"',
  waf: '"off"',
};

function listPageRules({ zone }: Facts, provider: ProviderName): string[] {
  const isNested = provider === 'provider-5';
  const resolve = `"backend.${zone.name}"`;
  // Version 4 lost the first of these, version 5 does not send the second.
  const former = {
    ...(provider === 'provider-3' ? { always_online: '"on"' } : {}),
    ...(provider === 'provider-5' ? {} : { server_side_exclude: '"on"' }),
  };
  const actions = Object.entries({ ...pageRuleActions, ...former, resolve_override: resolve }).map(
    ([name, value]) => [name, [`${name} = ${value}`]] as const,
  );
  const forwarding = ['url = "https://new.example/"', 'status_code = 301'];
  const all = [
    ...actions,
    ['forwarding_url', [`forwarding_url ${isNested ? '= ' : ''}{`, ...forwarding, '}']] as const,
  ];
  return all.map(([name, lines], index) =>
    resource('cloudflare_page_rule', name, [
      `zone_id = "${zone.id}"`,
      `target = "${zone.name}/${name}/*"`,
      `priority = ${index + 1}`,
      'status = "active"',
      `actions ${isNested ? '= ' : ''}{`,
      ...lines,
      '}',
      ...(index === 0 ? [] : [`depends_on = [cloudflare_page_rule.${all[index - 1]![0]}]`]),
    ]),
  );
}

/** A migration carries over bypasses of managed rules; the others stay unchanged. */
const ruleActions: Readonly<Record<string, readonly string[]>> = {
  allow: [],
  block: ['priority = 3'],
  bypass: ['products = ["waf", "rateLimit"]'],
  challenge: [],
  js_challenge: ['paused = true'],
  log: [],
};

function listRules({ zone }: Facts): string[] {
  const inZone = `zone_id = "${zone.id}"`;
  return Object.entries(ruleActions).flatMap(([action, more]) => [
    resource('cloudflare_filter', action, [
      inZone,
      `expression = "http.request.uri.path eq \\"/${action}\\""`,
      ...(action === 'log' ? [] : [`description = "of ${action}"`]),
      ...(action === 'challenge' ? ['paused = true'] : []),
      ...(action === 'block' ? ['ref = "FIL-1"'] : []),
    ]),
    resource('cloudflare_firewall_rule', action, [
      inZone,
      `filter_id = cloudflare_filter.${action}.id`,
      `action = "${action}"`,
      `description = "${action}"`,
      ...more,
    ]),
  ]);
}
