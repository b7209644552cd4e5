/** Zones, their settings and page rules. */
import type { Facts, Imports, ResourceCase } from '../case.ts';

function pageRule(
  { zone }: Facts,
  { target, actions }: { readonly target: string; readonly actions: string },
): string {
  return `resource "cloudflare_page_rule" "rule" {
  zone_id  = "${zone.id}"
  target   = "${zone.name}/${target}"
  priority = 1
  status   = "active"
  actions {
    ${actions}
  }
}
`;
}

function settings({ zone }: Facts, waf: 'on' | 'off'): string {
  return `resource "cloudflare_zone_settings_override" "settings" {
  zone_id = "${zone.id}"
  settings {
    waf = "${waf}"
  }
}
`;
}

const pageRuleImport: Imports = {
  'cloudflare_page_rule.rule': ({ id }, { zone }) => `${zone.id}/${String(id)}`,
};

const shared: readonly ResourceCase[] = (['provider-3', 'provider-4'] as const).flatMap(
  (provider): ResourceCase[] => [
    {
      name: 'cloudflare_page_rule, actions without a value',
      provider,
      plan: 'pro',
      configurations: (facts) => [
        pageRule(facts, { target: 'static/*', actions: 'disable_security = true\n    disable_apps = true' }),
        pageRule(facts, {
          target: 'static/*',
          actions: 'disable_performance = true\n    disable_railgun = true\n    disable_security = true',
        }),
      ],
      imports: pageRuleImport,
    },
    {
      name: 'cloudflare_page_rule, actions with a value',
      provider,
      plan: 'pro',
      configurations: (facts) => [
        pageRule(facts, {
          target: 'login*',
          actions: 'waf = "off"\n    browser_check = "on"\n    ssl = "full"',
        }),
        pageRule(facts, { target: 'login', actions: 'waf = "on"\n    cache_level = "bypass"' }),
      ],
      imports: pageRuleImport,
    },
    {
      name: 'cloudflare_zone_settings_override { waf }',
      provider,
      plan: 'pro',
      configurations: (facts) => [settings(facts, 'on'), settings(facts, 'off')],
    },
  ],
);

const zoneFor4 = ({ accountId, zone }: Facts, plan: string, paused: boolean): string =>
  `resource "cloudflare_zone" "zone" {
  account_id = "${accountId}"
  zone       = "tofu-${zone.name}"
  plan       = "${plan}"
  paused     = ${paused}
}
`;

const zoneFor3 = ({ zone }: Facts, plan: string, paused: boolean): string =>
  `resource "cloudflare_zone" "zone" {
  zone   = "tofu3-${zone.name}"
  plan   = "${plan}"
  paused = ${paused}
}
`;

const zoneImport: Imports = { 'cloudflare_zone.zone': ({ id }) => String(id) };

export const zoneCases: readonly ResourceCase[] = [
  ...shared,
  {
    name: 'cloudflare_zone',
    provider: 'provider-3',
    plan: 'free',
    configurations: (facts) => [zoneFor3(facts, 'pro', false), zoneFor3(facts, 'business', true)],
    imports: zoneImport,
    // It does not read `jump_start`.
    isImportPartial: true,
  },
  {
    name: 'cloudflare_zone',
    provider: 'provider-4',
    plan: 'free',
    configurations: (facts) => [zoneFor4(facts, 'pro', false), zoneFor4(facts, 'enterprise', true)],
    imports: zoneImport,
  },
];
