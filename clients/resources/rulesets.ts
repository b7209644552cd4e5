/** Rulesets of the phases that are served, of a zone and of the account. */
import type { Facts, Imports, ResourceCase } from '../case.ts';

const managedRuleset = 'efb7b8c949ac4650a09736fc376e9aee';
const owaspRuleset = '4814384a9e5d4991b9815dcfc25d2f1f';

interface Wanted {
  readonly phase: string;
  readonly rules: string;
  readonly description?: string;
}

function zoneRuleset({ zone }: Facts, { phase, rules, description = 'by tofu' }: Wanted): string {
  return `resource "cloudflare_ruleset" "ruleset" {
  zone_id     = "${zone.id}"
  name        = "default"
  description = "${description}"
  kind        = "zone"
  phase       = "${phase}"
  ${rules}
}
`;
}

function rule(action: string, content: string): string {
  return `rules {
    action = "${action}"
    ${content}
  }
  `;
}

const block = rule(
  'block',
  `expression  = "(http.request.uri.path contains \\"/admin\\")"
    description = "admin"
    enabled     = true
    action_parameters {
      response {
        status_code  = 429
        content      = "{}"
        content_type = "application/json"
      }
    }`,
);
const skip = rule(
  'skip',
  `expression  = "ip.src eq 192.0.2.7"
    description = "office"
    ref         = "office"
    enabled     = true
    action_parameters {
      phases   = ["http_request_firewall_managed"]
      products = ["waf", "rateLimit"]
    }
    logging {
      enabled = true
    }`,
);
const challenge = rule(
  'managed_challenge',
  'expression = "http.user_agent eq \\"\\""\n    description = "no agent"\n    enabled = false',
);

const except = rule(
  'skip',
  `expression  = "http.request.uri.path eq \\"/upload\\""
    description = "uploads"
    enabled     = true
    action_parameters {
      ruleset = "current"
    }
    logging {
      enabled = true
    }`,
);

function execute(id: string, overrides: string): string {
  return rule(
    'execute',
    `expression  = "true"
    description = "managed"
    enabled     = true
    action_parameters {
      id = "${id}"
      ${overrides}
    }`,
  );
}

const byAction = 'overrides {\n        action = "log"\n      }';
const byCategory = `overrides {
        categories {
          category = "wordpress"
          action   = "block"
          enabled  = true
        }
        categories {
          category = "joomla"
          enabled  = false
        }
      }`;
const byLevel = `overrides {
        categories {
          category = "paranoia-level-3"
          enabled  = false
        }
        categories {
          category = "paranoia-level-4"
          enabled  = false
        }
        rules {
          id              = "6179ae15870a4bb7b2d480d4843b323c"
          action          = "log"
          score_threshold = 25
        }
      }`;

const zoneImport: Imports = {
  'cloudflare_ruleset.ruleset': ({ id }, { zone }) => `zone/${zone.id}/${String(id)}`,
};

function zoneCase(name: string, first: Wanted, changed: Wanted): ResourceCase {
  return {
    name: `cloudflare_ruleset ${name}`,
    provider: 'provider-4',
    plan: 'enterprise',
    configurations: (facts) => [zoneRuleset(facts, first), zoneRuleset(facts, changed)],
    imports: zoneImport,
  };
}

const limit = (requests: number): string =>
  rule(
    'block',
    `expression  = "http.request.uri.path eq \\"/login\\""
    description = "logins"
    enabled     = true
    ratelimit {
      characteristics     = ["cf.colo.id", "ip.src"]
      period              = 60
      requests_per_period = ${requests}
      mitigation_timeout  = 600
    }`,
  );

/** The data source reads every ruleset that the list of the zone has, as generators do. */
function accountRulesets({ accountId, zone }: Facts, expression: string): string {
  const deployed = `expression = "(cf.zone.name eq \\"${zone.name}\\") and cf.zone.plan eq \\"ENT\\""
    description = "deploy"
    enabled     = true
    action_parameters {
      id = cloudflare_ruleset.custom.id
    }`;
  return `resource "cloudflare_ruleset" "custom" {
  account_id  = "${accountId}"
  name        = "custom of ${zone.name}"
  description = ""
  kind        = "custom"
  phase       = "http_request_firewall_custom"
  ${rule('block', `expression = ${JSON.stringify(expression)}\n    description = "one"\n    enabled = true`)}
}

resource "cloudflare_ruleset" "root" {
  account_id  = "${accountId}"
  name        = "default"
  description = ""
  kind        = "root"
  phase       = "http_request_firewall_custom"
  ${rule('execute', deployed)}
}

data "cloudflare_rulesets" "of_zone" {
  zone_id       = "${zone.id}"
  include_rules = true
  depends_on    = [cloudflare_ruleset.root]
}
`;
}

const accountImport = ({ id }: Readonly<Record<string, unknown>>, { accountId }: Facts): string =>
  `account/${accountId}/${String(id)}`;

const custom = 'http_request_firewall_custom';
const managed = 'http_request_firewall_managed';

export const rulesetCases: readonly ResourceCase[] = [
  zoneCase(
    'custom rules',
    { phase: custom, rules: block + skip },
    { phase: custom, rules: skip + challenge + block },
  ),
  zoneCase(
    'managed rules',
    { phase: managed, rules: execute(managedRuleset, '') + execute(owaspRuleset, byAction) },
    { phase: managed, rules: except + execute(managedRuleset, byCategory) + execute(owaspRuleset, byLevel) },
  ),
  zoneCase(
    'rate limits',
    { phase: 'http_ratelimit', rules: limit(100) },
    { phase: 'http_ratelimit', rules: limit(50) },
  ),
  {
    name: 'cloudflare_ruleset of the account, deployed; data cloudflare_rulesets of the zone',
    provider: 'provider-4',
    plan: 'enterprise',
    configurations: (facts) => [
      accountRulesets(facts, 'http.request.uri.path eq "/a"'),
      accountRulesets(facts, 'http.request.uri.path eq "/b"'),
    ],
    imports: { 'cloudflare_ruleset.custom': accountImport, 'cloudflare_ruleset.root': accountImport },
  },
];
