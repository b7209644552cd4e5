/** The legacy managed rules: resources that provider 4 has dropped. */
import type { Facts, Imports, ResourceCase } from '../case.ts';

export const cloudflarePackage = '1e334934fd7ae32ad705667f8c1057aa';
const owaspPackage = 'c504870194831cd12c3fc0284f294abb';

interface Listed {
  readonly id: string;
}

export async function firstOf(facts: Facts, kind: 'groups' | 'rules', packageId: string): Promise<string> {
  const path = `/zones/${facts.zone.id}/firewall/waf/packages/${packageId}/${kind}`;
  const { result, errors } = await facts.server.call(`GET ${path}`);
  const [first] = (result ?? []) as readonly Listed[];
  if (first === undefined) throw new Error(`${path} lists nothing: ${JSON.stringify(errors)}`);
  return first.id;
}

function resource(kind: string, { zone }: Facts, content: string): string {
  return `resource "cloudflare_waf_${kind}" "waf" {
  zone_id = "${zone.id}"
  ${content}
}
`;
}

export function wafPackage(facts: Facts, sensitivity: string, action: string): string {
  return resource(
    'package',
    facts,
    `package_id  = "${owaspPackage}"\n  sensitivity = "${sensitivity}"\n  action_mode = "${action}"`,
  );
}

export function wafGroup(facts: Facts, id: string, mode: string): string {
  return resource(
    'group',
    facts,
    `package_id = "${cloudflarePackage}"\n  group_id = "${id}"\n  mode = "${mode}"`,
  );
}

export function wafRule(facts: Facts, id: string, mode: string): string {
  return resource(
    'rule',
    facts,
    `package_id = "${cloudflarePackage}"\n  rule_id = "${id}"\n  mode = "${mode}"`,
  );
}

function wafOverride(facts: Facts, url: string, more: string): string {
  return resource('override', facts, `urls = ["${facts.zone.name}/${url}"]\n  ${more}`);
}

function importOf(kind: string): Imports {
  return { [`cloudflare_waf_${kind}.waf`]: ({ id }, { zone }) => `${zone.id}/${String(id)}` };
}

const provider = 'provider-3';

export const previousCases: readonly ResourceCase[] = [
  {
    name: 'cloudflare_waf_package',
    provider,
    plan: 'business',
    configurations: (facts) => [wafPackage(facts, 'medium', 'simulate'), wafPackage(facts, 'low', 'block')],
    imports: importOf('package'),
  },
  {
    name: 'cloudflare_waf_group',
    provider,
    plan: 'business',
    async configurations(facts) {
      const id = await firstOf(facts, 'groups', cloudflarePackage);
      return [wafGroup(facts, id, 'off'), wafGroup(facts, id, 'on')];
    },
    imports: importOf('group'),
  },
  {
    name: 'cloudflare_waf_rule',
    provider,
    plan: 'business',
    async configurations(facts) {
      const id = await firstOf(facts, 'rules', cloudflarePackage);
      return [wafRule(facts, id, 'simulate'), wafRule(facts, id, 'block')];
    },
    imports: importOf('rule'),
  },
  {
    name: 'cloudflare_waf_override',
    provider,
    plan: 'enterprise',
    async configurations(facts) {
      const id = await firstOf(facts, 'rules', cloudflarePackage);
      return [
        wafOverride(facts, 'api/*', `rules = {\n    "${id}" = "disable"\n  }\n  priority = 1`),
        wafOverride(
          facts,
          'api/v2/*',
          `rules = {\n    "${id}" = "block"\n  }\n  description = "changed"\n  rewrite_action = {\n    "default" = "block"\n  }`,
        ),
      ];
    },
    imports: importOf('override'),
  },
];
