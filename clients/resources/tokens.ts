/** API tokens with conditions, and permission groups found by name, one of them of a product that is not served. */
import type { Facts, ResourceCase } from '../case.ts';

interface Wanted {
  readonly group: (name: string) => string;
  readonly names: readonly string[];
  readonly condition: string;
}

function token({ zone }: Facts, { group, names, condition }: Wanted): string {
  const groups = names.map((name) => `      ${group(name)},\n`).join('');
  return `data "cloudflare_api_token_permission_groups" "all" {}

resource "cloudflare_api_token" "token" {
  name = "${zone.name}"
  policy {
    effect = "allow"
    permission_groups = [
${groups}    ]
    resources = {
      "com.cloudflare.api.account.zone.${zone.id}" = "*"
    }
  }
  condition {
    request_ip {
      ${condition}
    }
  }
}
`;
}

function tokenCase(provider: ResourceCase['provider'], group: Wanted['group']): ResourceCase {
  return {
    name: 'cloudflare_api_token with a condition',
    provider,
    plan: 'free',
    configurations: (facts) => [
      token(facts, { group, names: ['Zone Read', 'DNS Write'], condition: 'in = ["192.0.2.0/24"]' }),
      token(facts, {
        group,
        names: ['Zone WAF Write'],
        condition: 'in = ["192.0.2.0/24", "198.51.100.7/32"]\n      not_in = ["192.0.2.9/32"]',
      }),
    ],
  };
}

const all = 'data.cloudflare_api_token_permission_groups.all';

export const tokenCases: readonly ResourceCase[] = [
  tokenCase('provider-3', (name) => `${all}.permissions["${name}"]`),
  tokenCase('provider-4', (name) => `${all}.zone["${name}"]`),
];
