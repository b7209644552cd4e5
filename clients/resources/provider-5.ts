/** The same resources as provider 5 has them: nested attributes instead of blocks. */
import type { Facts, Imports, ResourceCase } from '../case.ts';

const provider = 'provider-5';

function resource(type: string, content: string): string {
  return `resource "cloudflare_${type}" "one" {\n  ${content}\n}\n`;
}

const importFrom = (type: string, toId: Imports[string]): Imports => ({ [`cloudflare_${type}.one`]: toId });
const ofZone: Imports[string] = ({ id }, { zone }) => `${zone.id}/${String(id)}`;
const ofAccount: Imports[string] = ({ id }, { accountId }) => `${accountId}/${String(id)}`;

const zone = ({ zone: { name }, accountId }: Facts, paused: string): string =>
  resource('zone', `name = "five-${name}"\n  account = {\n    id = "${accountId}"\n  }\n  ${paused}`);

const ruleset = ({ zone: { id } }: Facts, phase: string, rules: readonly string[]): string =>
  resource(
    'ruleset',
    `zone_id = "${id}"
  name = "default"
  description = "by provider 5"
  kind = "zone"
  phase = "${phase}"
  rules = [${rules.map((rule) => `{\n${rule}\n  }`).join(', ')}]`,
  );

const block = `    ref = "admin"
    action = "block"
    expression = "http.request.uri.path contains \\"/admin\\""
    description = "admin"
    enabled = true
    action_parameters = {
      response = {
        status_code = 429
        content = "{}"
        content_type = "application/json"
      }
    }`;
const skip = `    ref = "office"
    action = "skip"
    expression = "ip.src eq 192.0.2.7"
    enabled = true
    action_parameters = {
      phases = ["http_request_firewall_managed"]
      products = ["waf", "rateLimit"]
    }
    logging = {
      enabled = true
    }`;

const execute = (id: string, overrides: string): string => `    ref = "${id}"
    action = "execute"
    expression = "true"
    enabled = true
    action_parameters = {
      id = "${id}"
      ${overrides}
    }`;
const managed = (overrides: string): string => execute('efb7b8c949ac4650a09736fc376e9aee', overrides);
const owasp = (overrides: string): string => execute('4814384a9e5d4991b9815dcfc25d2f1f', overrides);
const byCategory =
  'overrides = {\n        categories = [{ category = "wordpress", enabled = false }]\n      }';
const byRule = `overrides = {
        rules = [{ id = "6179ae15870a4bb7b2d480d4843b323c", action = "log", score_threshold = 25 }]
      }`;

const limit = (requests: number): string => `    ref = "limit"
    action = "block"
    expression = "http.request.uri.path eq \\"/login\\""
    enabled = true
    ratelimit = {
      characteristics = ["cf.colo.id", "ip.src"]
      period = 60
      requests_per_period = ${requests}
      mitigation_timeout = 600
    }`;

const rulesetImport = importFrom('ruleset', ({ id }, facts) => `zones/${facts.zone.id}/${String(id)}`);

function rulesetCase(
  name: string,
  phase: string,
  rules: readonly [readonly string[], readonly string[]],
): ResourceCase {
  return {
    name: `cloudflare_ruleset ${name}`,
    provider,
    plan: 'enterprise',
    configurations: (facts) => [ruleset(facts, phase, rules[0]), ruleset(facts, phase, rules[1])],
    imports: rulesetImport,
  };
}

const pageRule = ({ zone: { id, name } }: Facts, actions: string): string =>
  resource(
    'page_rule',
    `zone_id = "${id}"\n  target = "${name}/a*"\n  priority = 1\n  status = "active"\n  actions = {\n    ${actions}\n  }`,
  );

const list = ({ accountId, zone: { name } }: Facts, kind: string, items: string): string =>
  resource(
    'list',
    `account_id = "${accountId}"
  name = "${kind}_${name.replaceAll(/[^a-z0-9]/g, '_')}"
  kind = "${kind}"
  description = "by provider 5"
  ${items}`,
  );

const item = ({ accountId }: Facts, content: string): string =>
  resource('list_item', `account_id = "${accountId}"\n  list_id = cloudflare_list.one.id\n  ${content}`);

const token = (
  { zone: { id, name } }: Facts,
  condition: string,
): string => `data "cloudflare_api_token_permission_groups_list" "read" {
  name = "Zone%20Read"
}

${resource(
  'api_token',
  `name = "${name}"
  policies = [{
    effect = "allow"
    permission_groups = [{
      id = data.cloudflare_api_token_permission_groups_list.read.result[0].id
    }]
    resources = jsonencode({
      "com.cloudflare.api.account.zone.${id}" = "*"
    })
  }]
  condition = {
    request_ip = {
      ${condition}
    }
  }`,
)}`;

export const provider5Cases: readonly ResourceCase[] = [
  {
    name: 'cloudflare_zone',
    provider,
    plan: 'free',
    configurations: (facts) => [zone(facts, ''), zone(facts, 'paused = true')],
    imports: importFrom('zone', ({ id }) => String(id)),
  },
  {
    name: 'cloudflare_zone_subscription',
    provider,
    plan: 'free',
    configurations: ({ zone: { id } }) => [
      resource('zone_subscription', `zone_id = "${id}"\n  rate_plan = {\n    id = "pro"\n  }`),
      resource('zone_subscription', `zone_id = "${id}"\n  rate_plan = {\n    id = "business"\n  }`),
    ],
  },
  {
    name: 'cloudflare_zone_setting { waf }',
    provider,
    plan: 'pro',
    configurations: ({ zone: { id } }) => [
      resource('zone_setting', `zone_id = "${id}"\n  setting_id = "waf"\n  value = "on"`),
      resource('zone_setting', `zone_id = "${id}"\n  setting_id = "waf"\n  value = "off"`),
    ],
    imports: importFrom('zone_setting', (_, facts) => `${facts.zone.id}/waf`),
  },
  {
    name: 'cloudflare_url_normalization_settings',
    provider,
    plan: 'free',
    configurations: ({ zone: { id } }) => [
      resource(
        'url_normalization_settings',
        `zone_id = "${id}"\n  type = "cloudflare"\n  scope = "incoming"`,
      ),
      resource('url_normalization_settings', `zone_id = "${id}"\n  type = "rfc3986"\n  scope = "both"`),
    ],
    imports: importFrom('url_normalization_settings', (_, facts) => facts.zone.id),
  },
  rulesetCase('custom rules', 'http_request_firewall_custom', [[block, skip], [skip]]),
  rulesetCase('managed rules', 'http_request_firewall_managed', [
    [managed(''), owasp('overrides = {\n        action = "log"\n      }')],
    [managed(byCategory), owasp(byRule)],
  ]),
  rulesetCase('rate limits', 'http_ratelimit', [[limit(100)], [limit(50)]]),
  {
    name: 'cloudflare_page_rule',
    provider,
    plan: 'pro',
    configurations: (facts) => [
      pageRule(facts, 'disable_security = true\n    waf = "off"'),
      pageRule(facts, 'browser_check = "on"\n    cache_level = "bypass"'),
    ],
    imports: importFrom('page_rule', ofZone),
  },
  {
    name: 'cloudflare_list of addresses with its items',
    provider,
    plan: 'enterprise',
    configurations: (facts) => [
      list(facts, 'ip', 'items = [{ ip = "192.0.2.0/24", comment = "one" }, { ip = "198.51.100.7" }]'),
      list(facts, 'ip', 'items = [{ ip = "192.0.2.0/24", comment = "renamed" }]'),
    ],
    imports: importFrom('list', ofAccount),
  },
  {
    name: 'cloudflare_list_item, an item of its own',
    provider,
    plan: 'enterprise',
    configurations: (facts) => [
      list(facts, 'asn', '') + item(facts, 'asn = 64496\n  comment = "one"'),
      list(facts, 'asn', '') + item(facts, 'asn = 64499\n  comment = "other"'),
    ],
    imports: importFrom(
      'list_item',
      ({ id, list_id }, { accountId }) => `${accountId}/${String(list_id)}/${String(id)}`,
    ),
  },
  {
    name: 'cloudflare_api_token with a condition',
    provider,
    plan: 'free',
    configurations: (facts) => [
      token(facts, 'in = ["192.0.2.0/24"]'),
      token(facts, 'in = ["192.0.2.0/24", "198.51.100.7/32"]\n      not_in = ["192.0.2.9/32"]'),
    ],
    imports: importFrom('api_token', ({ id }) => String(id)),
  },
];
