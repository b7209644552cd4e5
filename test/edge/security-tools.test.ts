/** IP access rules, zone lockdown, user agent rules and hotlink protection at the edge, over HTTP/1.1 and HTTP/2. */
import { deepEqual, equal } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { after, before, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { createSecureContext } from 'node:tls';
import { createAuthority, issueCertificate } from '#certificates';
import { type Answer, ServedEdge } from './served-edge.ts';

const [office, visitor] = ['192.0.2.10', '203.0.113.50'];
const host = 'enterprise.example';

let served: ServedEdge;
let zone: string;
let account: string;

before(async () => {
  const authority = createAuthority('Test', Date.now());
  const { certificate, privateKey } = issueCertificate(authority, [host], Date.now());
  const context = createSecureContext({
    cert: certificate.toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  });
  served = await ServedEdge.open({
    listeners: [{ port: 0 }, { port: 0, isSecure: true }],
    certificateOf: () => context,
    trustedProxies: ['127.0.0.1'],
    geo: {
      hasCountries: true,
      find: (address) => {
        const country = address.startsWith('203.0.') ? 'NZ' : '';
        const asn = address.startsWith('203.0.') ? 64_500 : undefined;
        const values = new Map<string, string | number>([['ip.src.country', country]]);
        if (asn !== undefined) values.set('ip.src.asnum', asn);
        return { country, asn, asnDescription: '', read: (key) => values.get(key) };
      },
    },
  });
  await served.serve('enterprise');
  zone = `/zones/${served.control.zone('enterprise')}`;
  account = `/accounts/${served.control.control.directory.accountId}`;
});
after(() => served[Symbol.asyncDispose]());

async function sendHttp2(path: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const client = connect(`https://${host}`, {
    createConnection: undefined,
    host: '127.0.0.1',
    port: served.edge.addresses[1]!.port,
    rejectUnauthorized: false,
  } as never);
  try {
    const stream = client.request({ ':path': path, ':authority': host, ...headers });
    stream.end();
    const [answered] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    const body = await text(stream);
    return { status: Number(answered[':status']), headers: answered, body };
  } finally {
    client.close();
  }
}

/** The same over both protocols. */
async function ask(
  path: string,
  from: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly events: readonly (readonly string[])[] }> {
  const headers = { 'x-forwarded-for': from, 'user-agent': 'Mozilla/5.0', ...more };
  const [first, second] = [await served.send(path, { headers }), await sendHttp2(path, headers)];
  equal(second.status, first.status, `${path} over HTTP/2`);
  const describe = async (answer: Answer) =>
    (await served.eventsOf(answer)).map(({ source, action, ruleId }) => [source, action, ruleId]);
  const events = await describe(first);
  deepEqual(await describe(second), events, `${path} over HTTP/2`);
  return { status: first.status, events };
}

/** Rules that are in force during the work, which gets their ids. */
async function having(
  given: readonly (readonly [route: string, body: object])[],
  work: (...ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const made: { readonly route: string; readonly id: string }[] = [];
  try {
    for (const [route, body] of given) {
      const { result } = await served.do(`POST ${route}`, body);
      made.push({ route, id: result.id });
    }
    await work(...made.map(({ id }) => id));
  } finally {
    for (const { route, id } of made) await served.do(`DELETE ${route}/${id}`);
  }
}

async function putCustom(rules: readonly object[]): Promise<void> {
  await served.do(`PUT ${zone}/rulesets/phases/http_request_firewall_custom/entrypoint`, { rules });
}

function access(mode: string, target: string, value: string, root = zone): readonly [string, object] {
  return [`${root}/firewall/access_rules/rules`, { mode, configuration: { target, value } }];
}

function lockdown(urls: readonly string[], addresses: readonly string[], more: object = {}) {
  const configurations = addresses.map((value) => ({
    target: value.includes('/') ? 'ip_range' : 'ip',
    value,
  }));
  return [`${zone}/firewall/lockdowns`, { urls, configurations, ...more }] as const;
}

function userAgent(value: string, mode = 'block', more: object = {}) {
  return [`${zone}/firewall/ua_rules`, { mode, configuration: { target: 'ua', value }, ...more }] as const;
}

test('access rules stop addresses, networks, operators and countries, each with its source, before other rules', async () => {
  await putCustom([{ action: 'block', expression: 'true' }]);
  const cases = [
    ['ip', visitor, 'ip'],
    ['ip_range', '203.0.113.0/24', 'iprange'],
    ['ip_range', '203.0.0.0/16', 'iprange'],
    ['asn', 'AS64500', 'asn'],
    ['country', 'NZ', 'country'],
  ] as const;
  for (const [target, value, source] of cases) {
    await having([access('block', target, value)], async (id) => {
      deepEqual(await ask('/', visitor), { status: 403, events: [[source, 'block', id]] });
      deepEqual((await ask('/', office)).events[0]![0], 'firewallCustom');
    });
  }
  await having([access('block', 'ip_range', '2001:db8:7::/48')], async (id) => {
    deepEqual((await ask('/', '2001:db8:7:1::5')).events, [['iprange', 'block', id]]);
    deepEqual((await ask('/', '2001:db8:8::5')).events[0]![0], 'firewallCustom');
  });
  await putCustom([]);
});

test('an access rule that allows counts before all others, ends all judging and leaves no event', async () => {
  await putCustom([{ action: 'block', expression: 'true' }]);
  const rules = [access('block', 'ip', visitor), access('whitelist', 'asn', '64500', account)];
  await having(rules, async () => deepEqual(await ask('/', visitor), { status: 200, events: [] }));
  await putCustom([]);
});

test('of access rules that match, the most specific counts, and of equals the one of the zone', async () => {
  const rules = [
    access('block', 'country', 'NZ'),
    access('challenge', 'ip_range', '203.0.113.0/24', account),
    access('js_challenge', 'ip_range', '203.0.0.0/16'),
  ];
  await having(rules, async (_country, range) =>
    deepEqual((await ask('/', visitor)).events, [['iprange', 'challenge', range]]),
  );
  const equals = [access('block', 'ip', visitor, account), access('managed_challenge', 'ip', visitor)];
  await having(equals, async (_account, own) =>
    deepEqual((await ask('/', visitor)).events, [['ip', 'managed_challenge', own]]),
  );
});

test('access rules of the account and of a user act in every zone', async () => {
  await served.serve('pro');
  for (const root of [account, '/user']) {
    await having([access('block', 'ip', visitor, root)], async () => {
      for (const plan of ['pro', 'enterprise'] as const) {
        const headers = { 'x-forwarded-for': visitor };
        equal((await served.send('/', { host: served.host(plan), headers })).status, 403);
      }
    });
    equal((await ask('/', visitor)).status, 200);
  }
});

test('a country that is allowed passes the rules of the zone, and managed rules still look at it', async () => {
  await putCustom([{ action: 'block', expression: 'http.request.uri.path eq "/custom"' }]);
  await served.do(`PUT ${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`, {
    rules: [
      {
        action: 'execute',
        expression: 'true',
        action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
      },
    ],
  });
  const attack = `/?q=${encodeURIComponent("1' UNION SELECT password FROM users--")}`;
  const rules = [access('whitelist', 'country', 'NZ'), lockdown([`${host}/locked`], [office])];
  await having(rules, async () => {
    equal((await ask('/custom', visitor)).status, 200);
    equal((await ask('/locked', visitor)).status, 200);
    equal((await ask(attack, visitor)).status, 403);
  });
  equal((await ask('/custom', visitor)).status, 403);
  await having([access('whitelist', 'ip', visitor)], async () =>
    equal((await ask(attack, visitor)).status, 200),
  );
  await served.do(`PUT ${zone}/rulesets/phases/http_request_firewall_managed/entrypoint`, { rules: [] });
  await putCustom([]);
});

test('a lockdown keeps all but its addresses from its URLs; the first by priority decides', async () => {
  const rules = [
    lockdown([`${host}/admin/*`, `${host}/internal`], [office, '198.51.100.0/25']),
    lockdown([`${host}/admin/api/*`], [visitor], { priority: 1 }),
  ];
  await having(rules, async (id, first) => {
    deepEqual(await ask('/admin/x', visitor), { status: 403, events: [['zonelockdown', 'block', id]] });
    equal((await ask('/internal', visitor)).status, 403);
    equal((await ask('/internal/other', visitor)).status, 200);
    for (const allowed of [office, '198.51.100.7']) equal((await ask('/admin/x', allowed)).status, 200);
    equal((await ask('/admin/x', '198.51.100.200')).status, 403);
    equal((await ask('/admin/api/x', visitor)).status, 200);
    deepEqual((await ask('/admin/api/x', office)).events, [['zonelockdown', 'block', first]]);
  });
  await having([lockdown([`${host}/admin/*`], [office], { paused: true })], async () =>
    equal((await ask('/admin/x', visitor)).status, 200),
  );
});

test('user agent rules act on exactly one user agent, and not on whom a lockdown lets in', async () => {
  const bad = { 'user-agent': 'BadBot/1.0 (+http://bad.bot)' };
  const rules = [userAgent(bad['user-agent']), lockdown([`${host}/admin/*`], [office])];
  await having(rules, async (id) => {
    deepEqual(await ask('/', visitor, bad), { status: 403, events: [['uablock', 'block', id]] });
    equal((await ask('/', visitor, { 'user-agent': 'BadBot/1.0' })).status, 200);
    equal((await ask('/admin/', office, bad)).status, 200);
    equal((await ask('/', office, bad)).status, 403);
  });
  await having([userAgent(bad['user-agent'], 'managed_challenge')], async (id) =>
    deepEqual(await ask('/', visitor, bad), {
      status: 403,
      events: [['uablock', 'managed_challenge', id]],
    }),
  );
});

test('hotlink_protection keeps images from pages of other sites', async () => {
  await served.do(`PATCH ${zone}/settings/hotlink_protection`, { value: 'on' });
  const from = (referer: string) => ({ referer });
  deepEqual(await ask('/a.png', visitor, from('https://other.example/page')), {
    status: 403,
    events: [['hot', 'block', 'hot']],
  });
  for (const [path, referer] of [
    ['/a.png', `https://${host}/page`],
    ['/a.png', `https://shop.${host}:8443/`],
    ['/a.png', `HTTPS://${host.toUpperCase()}`],
    ['/hotlink-ok/a.png', 'https://other.example/'],
    ['/a.html', 'https://other.example/'],
  ] as const)
    equal((await ask(path, visitor, from(referer))).status, 200, `${path} from ${referer}`);
  equal((await ask('/a.png', visitor)).status, 200);
  equal((await ask('/a.jpg', visitor, from(`https://${host}.evil.example/`))).status, 403);
  await served.do(`PATCH ${zone}/settings/hotlink_protection`, { value: 'off' });
});

test('bypass and skip really skip the products that they name', async () => {
  const bot = { 'user-agent': 'Bot' };
  const foreign = { referer: 'https://other.example/' };
  await served.do(`PATCH ${zone}/settings/hotlink_protection`, { value: 'on' });
  const rules = [userAgent('Bot'), lockdown([`${host}/*locked*`], [office])];
  const asks = [
    ['zoneLockdown', '/locked', {}],
    ['uaBlock', '/ua', bot],
    ['hot', '/hot.png', foreign],
  ] as const;
  await having(rules, async () => {
    for (const [product, path, headers] of asks) {
      equal((await ask(path, visitor, headers)).status, 403, product);
      await putCustom([
        {
          action: 'skip',
          expression: 'true',
          action_parameters: { products: [product] },
          logging: { enabled: false },
        },
      ]);
      equal((await ask(path, visitor, headers)).status, 200, `skip ${product}`);
      await putCustom([]);
      const { result } = await served.do(`POST ${zone}/firewall/rules`, [
        { action: 'bypass', products: [product], filter: { expression: `http.host eq "${host}"` } },
      ]);
      equal((await ask(path, visitor, headers)).status, 200, `bypass ${product}`);
      await served.do(`DELETE ${zone}/firewall/rules/${result[0].id}`);
    }
  });
  await served.do(`PATCH ${zone}/settings/hotlink_protection`, { value: 'off' });
});

test('the trace names the rule of each tool that decides, and what skipped it', async () => {
  const rules = [access('whitelist', 'country', 'NZ'), lockdown([`${host}/locked`], [office])];
  await having(rules, async (allowed) => {
    const { result } = await served.do(`POST ${zone}/security/trace`, {
      url: `https://${host}/locked`,
      ip: visitor,
      country: 'NZ',
    });
    equal(result.verdict.action, 'pass');
    const steps = result.explanation.steps as { source: string; end: string; matched: string[] }[];
    deepEqual(
      steps.filter(({ matched }) => matched.includes(allowed)).map(({ source }) => source),
      ['country'],
    );
    const skipped = new Set(steps.filter(({ end }) => end.includes(allowed)).map(({ source }) => source));
    deepEqual(
      ['firewallrules', 'zonelockdown'].filter((source) => !skipped.has(source)),
      [],
      JSON.stringify(steps),
    );
  });
});
