/** Every family of commands of the table, against a real server. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadCommands } from '#cli';
import { CliSite } from './cli-site.ts';

const commands = await loadCommands();

let site: CliSite;
const zone = 'shop.test';
before(async () => {
  site = await CliSite.open();
  await site.read('zones', 'create', '--name', zone);
  await site.read('zones', 'update', zone, '--plan', 'enterprise');
});
after(async () => {
  await site[Symbol.asyncDispose]();
});

/** The only line of JSON that a command prints. */
async function readOne(...args: string[]): Promise<any> {
  const lines = await site.read(...args);
  equal(lines.length, 1, JSON.stringify(lines));
  return lines[0];
}

test('gatehouse zones lists, changes and deletes zones by name or id', async () => {
  const { id, plan } = await readOne('zones', 'get', zone);
  equal(plan.legacy_id, 'enterprise');
  equal((await readOne('zones', 'update', id, '--paused', 'true')).paused, true);
  equal((await readOne('zones', 'update', zone, '--paused', 'false')).paused, false);
  await readOne('zones', 'create', '--name', 'gone.test');
  const refused = await site.run('zones', 'delete', 'gone.test');
  deepEqual([refused.code, /needs --yes: the zone and everything in it/.test(refused.stderr)], [2, true]);
  equal((await site.run('zones', 'delete', 'gone.test', '--yes')).code, 0);
  const { stdout } = await site.run('zones', 'list', '--name', zone);
  match(stdout, new RegExp(`^shop\\.test\tenterprise\tfalse\t${id}\t\\S+\n$`));
});

test('gatehouse zones set-edge changes the origin and keeps the rest', async () => {
  await site.read('zones', 'set-edge', zone, '--over-inspection-limit', 'block');
  const edge = await readOne('zones', 'set-edge', zone, '--origin-url', 'http://127.0.0.1:3000');
  deepEqual([edge.origin.url, edge.over_inspection_limit], ['http://127.0.0.1:3000', 'block']);
  equal((await readOne('zones', 'set-edge', zone, '--origin', 'null')).origin, null);
});

test('gatehouse load-balancers and rate-limits show and change what balances, and what is counted', async () => {
  const balancing = (...args: string[]): Promise<any> => readOne('load-balancers', ...args);
  const monitor = await balancing('create-monitor', '--path', '/health', '--expected-codes', '2xx');
  const origins = '[{"name":"one","address":"one.example.net"}]';
  const pool = await balancing(
    'create-pool',
    '--name',
    'main',
    '--monitor',
    monitor.id,
    '--origins',
    origins,
  );
  const names = ['--name', `www.${zone}`, '--default-pools', pool.id, '--fallback-pool', pool.id];
  const balancer = await balancing('create', zone, ...names);
  match((await site.run('load-balancers', 'list', zone)).stdout, /^\S+\twww\.shop\.test\ttrue\t/);
  match((await site.run('load-balancers', 'pools')).stdout, /^\S+\tmain\ttrue\t/);
  equal((await balancing('edit', zone, balancer.id, '--enabled', 'false')).enabled, false);
  equal((await balancing('pool', pool.id)).origins[0].address, 'one.example.net');
  match((await site.run('load-balancers', 'delete-pool', pool.id)).stderr, /load_balancer www\.shop\.test/);
  for (const args of [
    ['delete', zone, balancer.id],
    ['delete-pool', pool.id],
    ['delete-monitor', monitor.id],
  ])
    equal((await site.run('load-balancers', ...args)).code, 0, args.join(' '));
  equal((await site.run('rate-limits', 'list', zone)).stdout, '');
  equal((await readOne('rate-limits', 'suggest', zone, '--period', '60')).visitors, 0);
  match((await site.run('rate-limits', 'release', zone, '0'.repeat(32))).stderr, /no host counts the key/);
});

test('commands for limits, pools, monitors, list sources and notifications refuse bad input by field and fix, and keep all', async () => {
  const limit = { characteristics: ['ip.src', 'cf.colo.id'], period: 60, requests_per_period: 10 };
  const answer = { status_code: 429, content_type: 'text/plain' };
  let files = 0;
  const setLimit = (ratelimit: object, more = {}): string[] => {
    const rule = { action: 'block', expression: 'true', ratelimit, ...more };
    const file = site.write(`limit-${++files}.json`, { rules: [rule] });
    return ['rulesets', 'set-entrypoint', zone, 'http_ratelimit', '--file', file];
  };
  const lb = (command: string, ...args: string[]): string[] => ['load-balancers', command, ...args];
  const pool = (more: object, ...args: string[]): string[] =>
    lb(
      ...['create-pool', '--name', 'kept', ...args, '--origins'],
      JSON.stringify([{ name: 'one', address: 'one.example.net', ...more }]),
    );
  const hook = await readOne(
    'notifications',
    'create-webhook',
    '--name',
    'chat',
    '--url',
    'https://chat.test/',
  );
  const policy = (mechanisms: object): string[] => [
    ...['notifications', 'create', '--name', 'kept', '--alert-type', 'gatehouse_disk_filling'],
    ...['--mechanisms', JSON.stringify(mechanisms)],
  ];
  const list = await readOne('lists', 'create', '--name', 'sourced', '--kind', 'ip');
  const source = (...args: string[]): string[] => ['lists', 'set-source', list.id, ...args];
  const away = 'http://127.0.0.1:1/';

  const made = [
    await readOne(...setLimit({ ...limit, mitigation_timeout: 60 })),
    await readOne(...lb('create-monitor', '--path', '/health')),
    await readOne(...pool({})),
    await readOne(...policy({ webhooks: [{ id: hook.id }] })),
    await readOne(...source('--url', away, '--interval-seconds', '604800')),
  ];
  const readAll = async (): Promise<unknown[]> => [
    (await readOne('rulesets', 'entrypoint', zone, 'http_ratelimit')).rules,
    await site.read('load-balancers', 'monitors'),
    await site.read('load-balancers', 'pools'),
    await site.read('notifications', 'list'),
    (await readOne('lists', 'source', list.id)).url,
  ];
  const kept = await readAll();

  const none = 'f'.repeat(32);
  const refusals: readonly (readonly [args: string[], expected: RegExp])[] = [
    [
      setLimit(limit, { action_parameters: { response: { ...answer, content: 'x'.repeat(40_000) } } }),
      /response\/content\): 'x{100}…' is not a valid value for content because it is longer than 30720 characters/,
    ],
    [setLimit({ ...limit, period: 7 }), /ratelimit\/period\).* from 10 to 86400/],
    [setLimit({ ...limit, requests_per_period: 0 }), /requests_per_period\).* from 1 to/],
    [setLimit({ ...limit, characteristics: [] }), /characteristics\).* at least one item/],
    [
      setLimit({ ...limit, characteristics: ['cf.colo.id', 'http.none'] }),
      /characteristics\/1\)[^]*unknown identifier/,
    ],
    [setLimit({ ...limit, mitigation_timeout: -1 }), /mitigation_timeout\).* from 0 to 86400/],
    [
      setLimit({ ...limit, counting_expression: 'ip.src eq' }),
      /counting_expression\)[^]*\^ expected IP address/,
    ],
    [lb('create-monitor', '--path', 'health'), /--path: .*must begin with \//],
    [lb('create-monitor', '--interval', '0'), /--interval: .* from 1 to 3600/],
    [lb('create-monitor', '--type', 'gopher'), /--type must be http or https or tcp/],
    [lb('create-monitor', '--expected-codes', 'all'), /--expected-codes: .*like 200 or 2xx/],
    [lb('create-monitor', '--header', '{"Host":["a\\r\\nb"]}'), /--header \(at \/Host\): .*cannot be sent/],
    [lb('create-pool', '--name', 'none', '--origins', '[]'), /--origins: .* 1 to 50 items/],
    [lb('create-pool', '--name', 'none', '--origins', '{'), /--origins must be JSON/],
    [pool({ address: 'not a host/' }), /--origins \(at \/0\/address\): .*an address or a host name/],
    [pool({ weight: 2 }), /--origins \(at \/0\/weight\): .* from 0 to 1/],
    [pool({}, '--minimum-origins', '2'), /--minimum-origins: .* at most 1, the number of origins/],
    [pool({}, '--monitor', none), /--monitor: .*there is no monitor f{32}/],
    [pool({}), /--name: .*the pool [0-9a-f]{32} has it/],
    [
      lb('create', zone, '--name', 'www.else.test', '--default-pools', none, '--fallback-pool', none),
      /--name: .*of the zone shop/,
    ],
    [source('--url', 'ftp://lists.test/'), /--url: .*https:\/\/ or http:\/\//],
    [source('--url', 'https://name:word@lists.test/'), /--url: .*no name and password: use key/],
    [source('--url', away, '--interval-seconds', '1'), /--interval-seconds: .* from 10 to 604800/],
    [['lists', 'set-source', none, '--url', away], /there is no list f{32}/],
    [policy({}), /mechanisms/],
    [policy({ webhooks: [{ id: none }] }), /mechanisms/],
    [policy({ email: [{ id: 'nobody' }] }), /mechanisms/],
    [
      policy({ webhooks: [{ id: hook.id }] }).map((each) => (each.startsWith('gatehouse_') ? 'flood' : each)),
      /--alert-type must be/,
    ],
    [
      ['notifications', 'create-webhook', '--name', 'x', '--url', 'javascript:x'],
      /--url: .*https:\/\/ or http:\/\//,
    ],
  ];
  for (const [args, expected] of refusals) {
    const { code, stdout, stderr } = await site.run(...args);
    match(stderr, expected, args.join(' '));
    deepEqual([code === 2 || code === 3, stdout], [true, ''], args.join(' '));
  }
  deepEqual(await readAll(), kept);

  const [ruleset, monitor, poolMade, policyMade] = made;
  for (const args of [
    ['rulesets', 'delete', zone, ruleset.id],
    ['load-balancers', 'delete-pool', poolMade.id],
    ['load-balancers', 'delete-monitor', monitor.id],
    ['notifications', 'delete', policyMade.id],
    ['notifications', 'delete-webhook', hook.id],
    ['lists', 'delete', list.id],
  ])
    equal((await site.run(...args)).code, 0, args.join(' '));
});

test('gatehouse filters and rules create, update, list and delete', async () => {
  const expression = 'http.request.uri.path contains "/admin"';
  const created = await readOne('filters', 'create', zone, '--expression', expression);
  const paused = await readOne('filters', 'update', zone, created.id, '--paused', 'true');
  deepEqual([paused.paused, paused.expression], [true, expression]);
  const rule = await readOne(
    'rules',
    'create',
    zone,
    '--action',
    'block',
    '--expression',
    'ip.src eq 192.0.2.1',
  );
  const moved = await readOne(
    'rules',
    'update',
    zone,
    rule.id,
    '--priority',
    '5',
    '--description',
    'no guests',
  );
  deepEqual([moved.action, moved.filter.id, moved.priority], ['block', rule.filter.id, 5]);
  const { stdout } = await site.run('rules', 'list', zone);
  equal(stdout, `${rule.id}\t5\tblock\tfalse\tip.src eq 192.0.2.1\tno guests\n`);
  for (const [family, { id }] of [
    ['rules', rule],
    ['filters', created],
  ] as const)
    equal((await site.run(family, 'delete', zone, id)).code, 0);
  deepEqual(await site.read('filters', 'list', zone), []);
});

test('gatehouse filters list goes through all pages, and --limit ends it', async () => {
  const bodies = Array.from({ length: 60 }, (_, index) => ({ expression: `ip.src eq 10.0.0.${index}` }));
  const made = await site.read('filters', 'create', zone, '--file', site.write('filters.json', bodies));
  equal((await site.read('filters', 'list', zone)).length, 60);
  equal((await site.read('filters', 'list', zone, '--limit', '7')).length, 7);
  for (const { id } of made) await site.read('filters', 'delete', zone, id);
});

test('gatehouse rulesets edits rules of a zone and of the account, and goes back to a version', async () => {
  const phase = 'http_request_firewall_custom';
  const rule = { action: 'log', expression: 'true' };
  const file = site.write('ruleset.json', { rules: [rule] });
  const { id } = await readOne('rulesets', 'set-entrypoint', zone, phase, '--file', file);
  const added = await readOne(
    ...['rulesets', 'add-rule', zone, id, '--action', 'block', '--expression', 'http.host eq "x"'],
  );
  const changed = await readOne(
    ...['rulesets', 'update-rule', zone, id, added.rules[1].id, '--enabled', 'false'],
  );
  deepEqual(
    [changed.rules[1].enabled, changed.rules[1].expression, changed.version],
    [false, 'http.host eq "x"', '3'],
  );
  equal((await readOne('rulesets', 'diff', zone, id, '1')).added.length, 1);
  equal((await readOne('rulesets', 'restore', zone, id, '1')).rules.length, 1);
  equal((await site.run('rulesets', 'delete', zone, id)).code, 0);
  const ofAccount = await site.read('rulesets', 'list', 'account');
  equal(
    ofAccount.some(({ name }) => name === 'Cloudflare Managed Ruleset'),
    true,
  );
  const custom = await readOne(
    ...[
      'rulesets',
      'create',
      'account',
      '--name',
      'mine',
      '--kind',
      'custom',
      '--phase',
      phase,
      '--rules',
      '[]',
    ],
  );
  equal(
    (await readOne('rulesets', 'update', 'account', custom.id, '--description', 'ours')).description,
    'ours',
  );
});

test('gatehouse waf finds packages by name and changes modes', async () => {
  const packages = await site.read('waf', 'packages', zone);
  const owasp = packages.find(({ detection_mode }) => detection_mode === 'anomaly');
  const changed = await readOne('waf', 'set-package', zone, owasp.name, '--sensitivity', 'low');
  equal(changed.sensitivity, 'low');
  const [group] = await site.read('waf', 'groups', zone, owasp.name);
  const mode = group.mode === 'on' ? 'off' : 'on';
  equal((await readOne('waf', 'set-group', zone, owasp.id, group.id, '--mode', mode)).mode, mode);
  const override = await readOne(
    ...['waf', 'create-override', zone, '--urls', `${zone}/api/*`, '--rules', '{"100015":"disable"}'],
  );
  const paused = await readOne('waf', 'update-override', zone, override.id, '--paused', 'true');
  deepEqual([paused.paused, paused.rules], [true, { 100015: 'disable' }]);
});

test('gatehouse pagerules, lists, tokens, audit and events work', async () => {
  const targets = JSON.stringify([
    { target: 'url', constraint: { operator: 'matches', value: `*${zone}/a/*` } },
  ]);
  const actions = JSON.stringify([{ id: 'disable_security' }]);
  const page = await readOne('pagerules', 'create', zone, '--targets', targets, '--actions', actions);
  equal((await readOne('pagerules', 'update', zone, page.id, '--status', 'disabled')).status, 'disabled');
  await readOne('lists', 'create', '--name', 'office', '--kind', 'ip');
  const { operation_id } = await readOne(
    'lists',
    'add-items',
    'office',
    '--ip',
    '192.0.2.1',
    '--comment',
    'desk',
  );
  match((await readOne('lists', 'operation', operation_id)).status, /pending|running|completed/);
  equal((await readOne('lists', 'get', 'office')).name, 'office');
  const groups = await site.read('tokens', 'permissions', '--name', 'Zone Read');
  const policies = JSON.stringify([
    {
      effect: 'allow',
      permission_groups: [{ id: groups[0].id }],
      resources: { 'com.cloudflare.api.account.zone.*': '*' },
    },
  ]);
  const token = await readOne('tokens', 'create', '--name', 'reader', '--policies', policies);
  equal((await readOne('tokens', 'update', token.id, '--name', 'renamed')).name, 'renamed');
  deepEqual(await site.read('tokens', 'list', '--account'), []);
  equal((await readOne('tokens', 'verify')).status, 'active');
  equal((await site.read('audit', 'list', '--limit', '3')).length, 3);
  deepEqual(await site.read('events', 'list', zone), []);
  const trace = await readOne('events', 'trace', zone, '--url', `https://${zone}/`, '--method', 'POST');
  equal(trace.verdict.action, 'pass');
});

test('gatehouse zones export and import move a configuration to another zone', async () => {
  await readOne('rules', 'create', zone, '--action', 'block', '--expression', 'ip.src eq 192.0.2.9');
  const { stdout } = await site.run('zones', 'export', zone);
  await readOne('zones', 'create', '--name', 'copy.test');
  await readOne('zones', 'update', 'copy.test', '--plan', 'enterprise');
  const file = site.write('bundle.json', JSON.parse(stdout));
  await readOne('zones', 'import', 'copy.test', '--file', file);
  equal((await site.read('rules', 'list', 'copy.test')).length, 1);
});

test('gatehouse diff shows what differs between zones and files, by what rules are about', async () => {
  for (const name of ['one.test', 'two.test']) {
    await readOne('zones', 'create', '--name', name);
    await readOne('zones', 'update', name, '--plan', 'enterprise');
    await readOne('rules', 'create', name, '--action', 'block', '--expression', 'ip.src eq 192.0.2.1');
  }
  const { stdout: exported } = await site.run('zones', 'export', 'one.test');
  const file = site.write('one.json', JSON.parse(exported));
  deepEqual(await site.run('diff', file, 'two.test'), { code: 0, stdout: '', stderr: '' });
  const [{ id }] = await site.read('rules', 'list', 'two.test');
  await readOne('rules', 'update', 'two.test', id, '--action', 'log');
  await readOne('zones', 'set-setting', 'two.test', 'waf', '--value', 'on');
  await readOne('filters', 'create', 'two.test', '--expression', 'ssl');
  await readOne('zones', 'set-edge', 'two.test', '--over-inspection-limit', 'block');
  const { code, stdout } = await site.run('diff', file, 'two.test');
  equal(code, 1);
  deepEqual(stdout.split('\n').toSorted(), [
    '',
    '    action: "block" -> "log"',
    '    value: "default" -> "block"',
    '    value: "off" -> "on"',
    '+ filter ssl',
    '~ edge setting over_inspection_limit',
    '~ firewall rule ip.src eq 192.0.2.1',
    '~ setting waf',
  ]);
  const wrong = await site.run('diff', site.write('other.json', {}), 'two.test');
  match(wrong.stderr, /other\.json is not the configuration of a zone: write it with gatehouse zones export/);
});

test('every command that reads a zone or the account prints JSON and nothing else with --json', async () => {
  const reading = commands.filter(
    ({ details = '', parameters, options }) =>
      details.startsWith('GET ') && /^(?:<zone>|<zone-or-account>)?$/.test(parameters) && 'json' in options,
  );
  equal(reading.length > 15, true);
  for (const { name, parameters } of reading) {
    const args = [...name.split(' '), ...(parameters === '' ? [] : [zone]), '--json', '--color', 'always'];
    const { code, stdout, stderr } = await site.run(...args);
    equal(code, 0, `${name}: ${stderr}`);
    for (const line of stdout.split('\n').filter((each) => each !== '')) JSON.parse(line);
  }
});

test('commands of the API name the option, the code and what to do', async () => {
  const cases: [args: string[], code: number, message: RegExp][] = [
    [['filters', 'create', zone], 2, /gatehouse filters create needs --expression, or --file/],
    [
      ['filters', 'create', zone, '--expression', 'ip.src eq'],
      3,
      /refused gatehouse filters create: [^]*\(10103\)\n {2}The expression cannot be parsed/,
    ],
    [
      [
        'rules',
        'create',
        zone,
        '--action',
        'block',
        '--expression',
        'true',
        '--description',
        'x'.repeat(501),
      ],
      3,
      /--description: .*\(\d+\)/,
    ],
    [['rules', 'create', zone, '--action', 'explode', '--expression', 'true'], 2, /--action must be /],
    [['rules', 'update', zone, 'f'.repeat(32), '--priority', 'high'], 2, /--priority must be a number: high/],
    [['rulesets', 'create', zone, '--rules', '[{]'], 2, /--rules must be JSON: /],
    [['filters', 'list', 'nowhere.test'], 1, /has no zone nowhere\.test/],
    [['lists', 'get', 'nothing'], 1, /there is no list nothing: there are office/],
    [['zones', 'get'], 2, /gatehouse zones get needs <zone>/],
    [['zones', 'frobnicate'], 2, /gatehouse zones needs one of list, get,/],
    [['filters', 'list', zone, '--expresion', 'x'], 2, /has no option --expresion.*--expression/],
  ];
  for (const [args, code, message] of cases) {
    const outcome = await site.run(...args);
    match(outcome.stderr, message);
    equal(outcome.code, code, outcome.stderr);
  }
});

test('text of others cannot move the cursor of a terminal', async () => {
  const description = 'x\u001b[2Jy\u202ez';
  const file = site.write('hostile.json', {
    action: 'log',
    filter: { expression: 'ip.src eq 192.0.2.77' },
    description,
  });
  const rule = await readOne('rules', 'create', zone, '--file', file);
  const { stdout } = await site.run('rules', 'get', zone, rule.id);
  match(stdout, /x\\x1b\[2Jy\\u202ez/);
});
