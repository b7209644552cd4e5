/** Lists and their items: within the list, and as separate resources. */
import type { Facts, Imports, ResourceCase } from '../case.ts';

interface WantedList {
  readonly kind: string;
  readonly description: string;
  readonly items?: string;
}

function list({ accountId, zone }: Facts, { kind, description, items = '' }: WantedList): string {
  return `resource "cloudflare_list" "list" {
  account_id  = "${accountId}"
  name        = "${zone.name.replaceAll(/[^a-z0-9]/g, '_')}"
  kind        = "${kind}"
  description = "${description}"
  ${items}
}
`;
}

function itemWithin(value: string, comment: string): string {
  return `item {
    value {
      ${value}
    }
    ${comment === '' ? '' : `comment = "${comment}"`}
  }
  `;
}

function item({ accountId }: Facts, name: string, content: string): string {
  return `resource "cloudflare_list_item" "${name}" {
  account_id = "${accountId}"
  list_id    = cloudflare_list.list.id
  ${content}
}
`;
}

const listImport: Imports = {
  'cloudflare_list.list': ({ id }, { accountId }) => `${accountId}/${String(id)}`,
};

export const listCases: readonly ResourceCase[] = [
  {
    name: 'cloudflare_list of addresses with its items',
    provider: 'provider-4',
    plan: 'enterprise',
    configurations: (facts) => [
      list(facts, {
        kind: 'ip',
        description: 'offices',
        items: itemWithin('ip = "192.0.2.0/24"', 'one') + itemWithin('ip = "2001:db8::/48"', ''),
      }),
      list(facts, {
        kind: 'ip',
        description: 'offices and one more',
        items:
          itemWithin('ip = "192.0.2.0/24"', 'renamed') +
          itemWithin('ip = "198.51.100.7"', 'two') +
          itemWithin('ip = "203.0.113.0/26"', 'three'),
      }),
    ],
    imports: listImport,
    // It reads items only of lists that have some in the state.
    isImportPartial: true,
  },
  {
    name: 'cloudflare_list_item, items of their own',
    provider: 'provider-4',
    plan: 'enterprise',
    configurations: (facts) => [
      list(facts, { kind: 'asn', description: 'networks' }) +
        item(facts, 'one', 'asn = 64496\n  comment = "one"') +
        item(facts, 'two', 'asn = 64497'),
      list(facts, { kind: 'asn', description: 'networks' }) +
        item(facts, 'one', 'asn = 64499\n  comment = "other"'),
    ],
    imports: {
      'cloudflare_list_item.one': ({ id, list_id }, { accountId }) =>
        `${accountId}/${String(list_id)}/${String(id)}`,
    },
  },
];
