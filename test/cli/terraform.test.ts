/** The output of `gatehouse terraform`, parsed again. `npm run clients` lets the real providers read it. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ParsedBlock, parseHcl } from '../../src/program/cli/terraform/testing.ts';
import { eventually } from '../eventually.ts';
import { CliSite } from './cli-site.ts';

let site: CliSite;
const zone = 'code.test';
const custom = 'http_request_firewall_custom';
const managed = 'http_request_firewall_managed';
const owasp = '4814384a9e5d4991b9815dcfc25d2f1f';

const customRules = [
  {
    action: 'block',
    ref: 'admin',
    expression: 'http.request.uri.path contains "/${admin}"',
    description: 'a "quoted" name',
    action_parameters: {
      response: { status_code: 429, content: '{}', content_type: 'application/json' },
    },
  },
  { action: 'managed_challenge', ref: 'agent', expression: 'http.user_agent eq ""', enabled: false },
];
const managedRules = [
  {
    action: 'skip',
    ref: 'one',
    expression: 'http.request.uri.path eq "/one"',
    action_parameters: { rules: { [owasp]: ['6179ae15870a4bb7b2d480d4843b323c'] } },
    logging: { enabled: true },
  },
  {
    action: 'execute',
    ref: 'owasp',
    expression: 'true',
    action_parameters: {
      id: owasp,
      overrides: { categories: [{ category: 'paranoia-level-4', enabled: false }] },
    },
  },
];

before(async () => {
  site = await CliSite.open();
  await site.read('zones', 'create', '--name', zone);
  await site.read('zones', 'update', zone, '--plan', 'enterprise');
  for (const [phase, rules] of Object.entries({ [custom]: customRules, [managed]: managedRules }))
    await site.read(
      'rulesets',
      'set-entrypoint',
      zone,
      phase,
      '--file',
      site.write(`${phase}.json`, { rules }),
    );
  await site.read('rules', 'create', zone, '--action', 'block', '--expression', 'ssl', '--priority', '3');
  const target = { target: 'url', constraint: { operator: 'matches', value: `${zone}/old/*` } };
  const actions = [{ id: 'always_use_https' }, { id: 'browser_cache_ttl', value: 14_400 }];
  await site.read(
    'pagerules',
    'create',
    zone,
    '--file',
    site.write('page.json', { targets: [target], actions }),
  );
});
after(async () => {
  await site[Symbol.asyncDispose]();
});

async function generate(...args: string[]): Promise<readonly ParsedBlock[]> {
  const { code, stdout, stderr } = await site.run('terraform', 'generate', ...args);
  equal(code, 0, stderr);
  return parseHcl(stdout);
}

/** The addresses of the printed resources. */
function listAddresses(blocks: readonly ParsedBlock[]): string[] {
  return blocks.map(({ labels }) => labels.join('.').replaceAll(/[0-9a-f]{32}/g, 'ID'));
}

/** Blocks as provider 4 has them, as the values that the API has. */
function toValues({ attributes, blocks }: ParsedBlock): Record<string, unknown> {
  const byType = Map.groupBy(blocks, ({ type }) => type);
  const nested = [...byType].map(([type, own]) => {
    const values = own.map(toValues);
    return [type, type === 'rules' || type === 'categories' ? values : values[0]];
  });
  return { ...attributes, ...(Object.fromEntries(nested) as object) };
}

const common = { enabled: true };

test('gatehouse terraform generate prints the rulesets of a zone with the nested attributes of provider 5', async () => {
  const { id } = (await site.read('zones', 'get', zone))[0];
  const blocks = await generate(zone, '--resource-type', 'cloudflare_ruleset');
  deepEqual(
    blocks.map(({ attributes }) => attributes),
    [
      { phase: custom, rules: customRules },
      { phase: managed, rules: managedRules },
    ].map(({ phase, rules }) => ({
      zone_id: id,
      name: 'default',
      description: '',
      kind: 'zone',
      phase,
      rules: rules.map((rule) => ({ ...common, ...rule })),
    })),
  );
});

test('gatehouse terraform generate prints nested blocks for provider 4, and rule ids as one text', async () => {
  const blocks = await generate(zone, '--provider', '4', '--phase', managed);
  deepEqual(listAddresses(blocks), [`cloudflare_ruleset.${managed}`]);
  const [skip, execute] = toValues(blocks[0]!)['rules'] as Record<string, unknown>[];
  deepEqual(skip, {
    ...common,
    ...managedRules[0],
    action_parameters: { rules: { [owasp]: '6179ae15870a4bb7b2d480d4843b323c' } },
  });
  deepEqual(execute, { ...common, ...managedRules[1] });
});

test('gatehouse terraform generate prints for provider 3 what 3.35 takes: no ref, and words where it has no flags', async () => {
  const { id } = (await site.read('zones', 'get', zone))[0];
  const { code, stdout, stderr } = await site.run(
    ...['terraform', 'generate', zone, '--provider', '3', '--resource-type', 'cloudflare_ruleset'],
  );
  equal(code, 0, stderr);
  equal(
    stdout,
    `resource "cloudflare_ruleset" "${custom}" {
  zone_id     = "${id}"
  name        = "default"
  description = ""
  kind        = "zone"
  phase       = "${custom}"

  rules {
    description = "a \\"quoted\\" name"
    expression  = "http.request.uri.path contains \\"/$\${admin}\\""
    enabled     = true
    action      = "block"

    action_parameters {
      response {
        status_code  = 429
        content      = "{}"
        content_type = "application/json"
      }
    }
  }

  rules {
    expression = "http.user_agent eq \\"\\""
    enabled    = false
    action     = "managed_challenge"
  }
}

resource "cloudflare_ruleset" "${managed}" {
  zone_id     = "${id}"
  name        = "default"
  description = ""
  kind        = "zone"
  phase       = "${managed}"

  rules {
    expression = "http.request.uri.path eq \\"/one\\""
    enabled    = true
    action     = "skip"

    action_parameters {
      rules = {
        "${owasp}" = "6179ae15870a4bb7b2d480d4843b323c"
      }
    }

    logging {
      status = "enabled"
    }
  }

  rules {
    expression = "true"
    enabled    = true
    action     = "execute"

    action_parameters {
      id = "${owasp}"

      overrides {
        categories {
          category = "paranoia-level-4"
          status   = "disabled"
        }
      }
    }
  }
}
`,
  );
});

test('gatehouse terraform generate refers from firewall rules to their filters, and says what it leaves out', async () => {
  const blocks = await generate(zone, '--provider', '4');
  deepEqual(listAddresses(blocks), [
    `cloudflare_ruleset.${custom}`,
    `cloudflare_ruleset.${managed}`,
    'cloudflare_filter.id_ID',
    'cloudflare_firewall_rule.id_ID',
    'cloudflare_page_rule.id_ID',
  ]);
  const [, , filter, rule, page] = blocks.map(toValues);
  deepEqual(rule!['filter_id'], { reference: `cloudflare_filter.${blocks[2]!.labels[1]}.id` });
  deepEqual([filter!['expression'], rule!['action'], rule!['priority']], ['ssl', 'block', 3]);
  deepEqual(page!['actions'], { always_use_https: true, browser_cache_ttl: '14400' });
  const [alone] = await generate(zone, '--provider', '4', '--resource-type', 'cloudflare_firewall_rule');
  equal(alone!.attributes['filter_id'], blocks[2]!.labels[1]!.slice('id_'.length));
  const { stdout, stderr } = await site.run('terraform', 'generate', zone);
  match(stderr, /1 cloudflare_firewall_rule left out, because provider 5 cannot import it: use --provider 4/);
  deepEqual(listAddresses(parseHcl(stdout)).slice(2), [
    'cloudflare_page_rule.id_ID',
    'cloudflare_url_normalization_settings.normalization',
  ]);
});

test('gatehouse terraform generate prints the settings that were changed, for the provider that can import them', async () => {
  const value = ['ECDHE-ECDSA-AES128-GCM-SHA256'];
  for (const [id, body] of Object.entries({ ciphers: { value }, challenge_ttl: { value: 2_700 } }))
    await site.read('zones', 'set-setting', zone, id, '--file', site.write(`${id}.json`, body));
  const blocks = await generate(zone, '--resource-type', 'cloudflare_zone_setting');
  deepEqual(
    blocks.map(({ labels, attributes }) => [labels[1], attributes['setting_id'], attributes['value']]),
    [
      ['challenge_ttl', 'challenge_ttl', 2_700],
      ['ciphers', 'ciphers', value],
    ],
  );
  const { stdout, stderr } = await site.run(
    ...['terraform', 'generate', zone, '--provider', '4'],
    ...['--resource-type', 'cloudflare_zone_settings_override'],
  );
  equal(stdout, '');
  match(stderr, /1 cloudflare_zone_settings_override left out, because provider 4 cannot import it/);
});

test('gatehouse terraform generate prints the lists of the account, with their items or beside them', async () => {
  const list = (await site.read('lists', 'create', '--name', 'offices', '--kind', 'ip'))[0];
  const items = [{ ip: '192.0.2.1', comment: 'one' }, { ip: '192.0.2.2' }];
  const [added] = await site.read('lists', 'add-items', 'offices', '--file', site.write('items.json', items));
  await eventually(async () => {
    const [operation] = await site.read('lists', 'operation', added.operation_id);
    return operation.status === 'completed';
  });
  const [whole] = await generate('account', '--resource-type', 'cloudflare_list');
  deepEqual(whole!.attributes['items'], items);
  const blocks = await generate('account', '--provider', '4');
  deepEqual(listAddresses(blocks), [
    'cloudflare_list.offices',
    'cloudflare_list_item.offices_ID',
    'cloudflare_list_item.offices_ID',
  ]);
  equal(blocks[0]!.attributes['items'], undefined);
  deepEqual(blocks[1]!.attributes['list_id'], { reference: 'cloudflare_list.offices.id' });
  // Provider 3 has the items of a list in it, each with its value in a block, and no lists of networks.
  await site.read('lists', 'create', '--name', 'networks', '--kind', 'asn');
  const third = await site.run('terraform', 'generate', 'account', '--provider', '3');
  equal(
    third.stdout,
    `resource "cloudflare_list" "offices" {
  account_id = "${String(whole!.attributes['account_id'])}"
  name       = "offices"
  kind       = "ip"

  item {
    comment = "one"

    value {
      ip = "192.0.2.1"
    }
  }

  item {
    value {
      ip = "192.0.2.2"
    }
  }
}
`,
  );
  match(
    third.stderr,
    /1 cloudflare_list left out, because provider 3 cannot import it: it has no lists of the kind asn: use --provider 4/,
  );
  const { stdout } = await site.run('terraform', 'import-blocks', 'account', '--provider', '4');
  match(stdout, new RegExp(`to = cloudflare_list\\.offices\n {2}id = "[0-9a-f]{32}/${list.id}"`));
});

test('gatehouse terraform import-blocks has a block for each address that generate prints, as each provider reads it', async () => {
  const { id } = (await site.read('zones', 'get', zone))[0];
  for (const provider of ['3', '4', '5']) {
    const { stdout } = await site.run('terraform', 'import-blocks', zone, '--provider', provider);
    const imports = parseHcl(stdout).map(
      ({ attributes }) => attributes as { to: { reference: string }; id: string },
    );
    const addresses = (await generate(zone, '--provider', provider)).map(({ labels }) => labels.join('.'));
    deepEqual(
      imports.map(({ to }) => to.reference),
      addresses,
    );
    match(imports[0]!.id, new RegExp(`^${provider === '5' ? 'zones' : 'zone'}/${id}/[0-9a-f]{32}$`));
  }
});

test('gatehouse terraform names the option that is wrong', async () => {
  const type = await site.run('terraform', 'generate', zone, '--resource-type', 'cloudflare_zone');
  equal(type.code, 2);
  match(
    type.stderr,
    /--resource-type must be cloudflare_ruleset or cloudflare_filter or .*: cloudflare_zone/,
  );
  const args = ['--resource-type', 'cloudflare_filter', '--phase', managed];
  const phase = await site.run('terraform', 'generate', zone, ...args);
  deepEqual([phase.code, /--phase applies to rulesets/.test(phase.stderr)], [2, true]);
  const unknown = await site.run('terraform', 'generate', zone, '--phase', 'http_nothing');
  deepEqual([unknown.code, unknown.stdout], [0, '']);
  match(unknown.stderr, /the zone has nothing of this kind/);
});

test('gatehouse terraform generate leaves out rules that ask, which no provider knows, and says so', async () => {
  const asks = { url: 'https://auth.example/verify', default_action: 'pass' };
  const rules = [{ action: 'forward_auth', expression: 'ssl', action_parameters: asks }];
  const file = site.write('ask.json', { rules });
  await site.read('rulesets', 'set-entrypoint', zone, 'gatehouse_ask', '--file', file);
  for (const provider of ['4', '5']) {
    const { stdout, stderr } = await site.run('terraform', 'generate', zone, '--provider', provider);
    match(stdout, /^# The rules of the phase gatehouse_ask are left out: no provider knows it\./);
    equal(stdout.includes('forward_auth'), false);
    match(stderr, /1 cloudflare_ruleset left out, because provider \d cannot import it: no provider knows/);
    const imports = await site.run('terraform', 'import-blocks', zone, '--provider', provider);
    equal(imports.stdout.includes('gatehouse_ask'), false);
  }
});
