/** Filters and firewall rules, the same for both providers. */
import type { Facts, ResourceCase } from '../case.ts';

const inZone = (attributes: Readonly<Record<string, unknown>>, { zone }: Facts): string =>
  `${zone.id}/${String(attributes['id'])}`;

function filter({ zone }: Facts, expression: string, description: string): string {
  return `resource "cloudflare_filter" "filter" {
  zone_id     = "${zone.id}"
  description = "${description}"
  expression  = ${JSON.stringify(expression)}
}
`;
}

function rule({ zone }: Facts, action: string, more: string): string {
  return `resource "cloudflare_firewall_rule" "rule" {
  zone_id     = "${zone.id}"
  description = "by tofu"
  filter_id   = cloudflare_filter.filter.id
  action      = "${action}"
  ${more}
}
`;
}

const wordpress =
  '(http.request.uri.path ~ ".*wp-login.php" or http.request.uri.path ~ ".*xmlrpc.php") and ip.src ne 192.0.2.1';

export const firewallCases: readonly ResourceCase[] = (['provider-3', 'provider-4'] as const).flatMap(
  (provider): ResourceCase[] => [
    {
      name: 'cloudflare_filter',
      provider,
      plan: 'business',
      configurations: (facts) => [
        filter(facts, wordpress, 'wordpress'),
        filter(facts, 'http.request.uri.path eq "/login"', 'login <only> & "more"'.replaceAll('"', '\\"')),
      ],
      imports: { 'cloudflare_filter.filter': inZone },
    },
    {
      name: 'cloudflare_firewall_rule with its filter',
      provider,
      plan: 'enterprise',
      configurations: (facts) => [
        filter(facts, wordpress, 'wordpress') + rule(facts, 'block', 'priority = 10'),
        filter(facts, 'ip.src eq 192.0.2.7', 'one address') +
          rule(facts, 'bypass', 'products = ["waf", "rateLimit"]\n  paused = true'),
      ],
      imports: { 'cloudflare_firewall_rule.rule': inZone, 'cloudflare_filter.filter': inZone },
    },
  ],
);
