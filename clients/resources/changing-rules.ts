/** Rulesets of the phases that change requests and answers, redirects from lists among them, for both providers. */
import type { Facts, Imports, ResourceCase } from '../case.ts';
import { type Attributes, type Generation, Reference, writeResource } from '../hcl.ts';

interface Change {
  readonly name: string;
  readonly phase: string;
  readonly action: string;
  /** The parameters of the rule, and the changed ones. */
  readonly parameters: (generation: Generation) => readonly [Attributes, Attributes];
}

/** Provider 4 has a block for each field, provider 5 a map. */
function headers(generation: Generation, fields: Readonly<Record<string, Attributes>>): Attributes {
  if (generation === 'provider-5') return { headers: fields };
  return { headers: Object.entries(fields).map(([name, field]) => ({ name, ...field })) };
}

const changes: readonly Change[] = [
  {
    name: 'redirects',
    phase: 'http_request_dynamic_redirect',
    action: 'redirect',
    parameters: () => [
      {
        from_value: {
          status_code: 301,
          target_url: { value: 'https://moved.example/' },
          preserve_query_string: true,
        },
      },
      {
        from_value: {
          status_code: 308,
          target_url: {
            expression: 'wildcard_replace(http.request.uri.path, "/changed/*", "https://moved.example/${1}")',
          },
          preserve_query_string: false,
        },
      },
    ],
  },
  {
    name: 'URL rewrites',
    phase: 'http_request_transform',
    action: 'rewrite',
    parameters: () => [
      { uri: { path: { value: '/new' } } },
      { uri: { path: { expression: 'concat("/new", http.request.uri.path)' }, query: { value: 'a=1' } } },
    ],
  },
  ...(['http_request_late_transform', 'http_response_headers_transform'] as const).map((phase): Change => ({
    name: phase === 'http_request_late_transform' ? 'fields of requests' : 'fields of answers',
    phase,
    action: 'rewrite',
    parameters: (generation) => [
      headers(generation, {
        'x-one': { operation: 'set', value: 'one' },
        'x-two': { operation: 'remove' },
      }),
      headers(generation, { 'x-one': { operation: 'set', expression: 'to_string(ip.src)' } }),
    ],
  })),
  {
    name: 'origin rules',
    phase: 'http_request_origin',
    action: 'route',
    parameters: () => [
      { host_header: 'backend.example', origin: { host: 'backend.example', port: 8443 } },
      { origin: { port: 8080 }, sni: { value: 'backend.example' } },
    ],
  },
  {
    name: 'configuration rules',
    phase: 'http_config_settings',
    action: 'set_config',
    parameters: () => [{ ssl: 'full', bic: true }, { security_level: 'high' }],
  },
  {
    name: 'custom errors',
    phase: 'http_custom_errors',
    action: 'serve_error',
    parameters: () => [
      { content: '<h1>Sorry</h1>', content_type: 'text/html', status_code: 500 },
      { content: '{"sorry":true}', content_type: 'application/json', status_code: 503 },
    ],
  },
];

function rulesetOf(
  generation: Generation,
  { zone }: Facts,
  { phase, action }: Change,
  parameters: Attributes,
): string {
  const isError = phase === 'http_custom_errors';
  return writeResource(generation, 'ruleset', {
    content: {
      zone_id: zone.id,
      name: 'default',
      description: 'by terraform',
      kind: 'zone',
      phase,
      rules: [
        {
          ref: 'changed',
          action,
          expression: isError
            ? 'http.response.code ge 500'
            : 'starts_with(http.request.uri.path, "/changed/")',
          description: 'by terraform',
          enabled: true,
          action_parameters: parameters,
        },
      ],
    },
  });
}

const ofZone: Readonly<Record<Generation, Imports>> = {
  'provider-4': { 'cloudflare_ruleset.one': ({ id }, { zone }) => `zone/${zone.id}/${String(id)}` },
  'provider-5': { 'cloudflare_ruleset.one': ({ id }, { zone }) => `zones/${zone.id}/${String(id)}` },
};

/** The list, and the rule of the account that enables it. */
function listOfRedirects(generation: Generation, { accountId, zone }: Facts, status: number): string {
  const name = `moved_${zone.name.replaceAll(/[^a-z0-9]/g, '_')}`;
  const redirect = {
    source_url: `${zone.name}/old`,
    target_url: 'https://new.example/',
    status_code: status,
    ...(generation === 'provider-4' ? { subpath_matching: 'enabled' } : { subpath_matching: true }),
  };
  const items =
    generation === 'provider-4'
      ? { item: [{ value: { redirect }, comment: 'one' }] }
      : { items: [{ redirect, comment: 'one' }] };
  const list = writeResource(generation, 'list', {
    content: { account_id: accountId, name, kind: 'redirect', description: 'moved', ...items },
  });
  return (
    list +
    writeResource(generation, 'ruleset', {
      content: {
        account_id: accountId,
        name: 'default',
        description: '',
        kind: 'root',
        phase: 'http_request_redirect',
        rules: [
          {
            ref: 'moved',
            action: 'redirect',
            expression: `http.request.full_uri in $${name}`,
            description: 'moved',
            enabled: true,
            action_parameters: { from_list: { name, key: 'http.request.full_uri' } },
          },
        ],
        depends_on: [new Reference('cloudflare_list.one')],
      },
    })
  );
}

function casesOf(provider: Generation): ResourceCase[] {
  const accounts = provider === 'provider-4' ? 'account' : 'accounts';
  return [
    ...changes.map((change): ResourceCase => ({
      name: `cloudflare_ruleset ${change.name}`,
      provider,
      plan: 'enterprise',
      configurations: (facts) => {
        const [first, changed] = change.parameters(provider);
        return [rulesetOf(provider, facts, change, first), rulesetOf(provider, facts, change, changed)];
      },
      imports: ofZone[provider],
    })),
    {
      name: 'cloudflare_ruleset of the account with redirects from a cloudflare_list',
      provider,
      plan: 'enterprise',
      configurations: (facts) => [
        listOfRedirects(provider, facts, 301),
        listOfRedirects(provider, facts, 302),
      ],
      imports: {
        'cloudflare_ruleset.one': ({ id }, { accountId }) => `${accounts}/${accountId}/${String(id)}`,
      },
    },
  ];
}

export const changingRuleCases: readonly ResourceCase[] = [
  ...casesOf('provider-4'),
  ...casesOf('provider-5'),
];
