/** Routes of zones to uploaded Workers, custom domains, and the rules of the zone in front of both. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { createForm, UploadSite } from './upload-site.ts';

const says = (text: string): string => `export default { fetch: () => new Response('${text}') };`;

test('the most specific route wins, behind the rules; all else goes to the origin', async (t) => {
  const origin = createServer((_request, response) => response.end('the origin'));
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
  t.after(() => origin.close());
  const site = await UploadSite.start(t);
  const { id: zone, name } = site.ready.zones.find(({ plan }) => plan === 'enterprise')!;
  const { port } = origin.address() as AddressInfo;
  ok((await site.call(`PUT /zones/${zone}/edge`, { origin: { url: `http://127.0.0.1:${port}` } })).success);
  for (const worker of ['api', 'wide'])
    ok((await site.call(`PUT W/${worker}`, createForm({ code: says(worker) }))).success);
  const set = await site.call('PUT W/api/routes', [
    { pattern: `${name}/api/*` },
    { pattern: `${name}/exact`, zone_id: zone },
  ]);
  deepEqual(set.result, [`${name}/api/*`, `${name}/exact`]);
  ok((await site.call('PUT W/wide/routes', [{ pattern: `*.${name}/*`, zone_name: name }])).success);
  const taken = await site.call(`POST /zones/${zone}/workers/routes`, {
    pattern: `${name}/exact`,
    script: 'wide',
  });
  equal(taken.errors[0]?.code, 10020);
  const none = await site.call(`POST /zones/${zone}/workers/routes`, { pattern: `${name}/api/public/*` });
  ok(none.success, JSON.stringify(none.errors));
  const domains = { override_scope: true, origins: [{ hostname: `www.${name}` }] };
  const changes = await site.call('POST W/api/domains/changeset?replace_state=true', domains.origins);
  deepEqual(
    changes.result.added.map(({ hostname }: { hostname: string }) => hostname),
    [`www.${name}`],
  );
  ok((await site.call('PUT W/api/domains/records', domains)).success);
  const refused: [string, number][] = [
    ['other.example/*', 10022],
    [`${name}/a*b`, 10022],
    [`${name}/a?b`, 10022],
  ];
  for (const [pattern, code] of refused)
    equal((await site.call('PUT W/api/routes', [{ pattern }])).errors[0]?.code, code, pattern);

  const asked: [host: string, path: string, answer: string][] = [
    [name, '/', 'the origin'],
    [name, '/api/a?b', 'api'],
    [name, '/api', 'the origin'],
    [name, '/exact', 'api'],
    [name, '/exact/more', 'the origin'],
    [name, '/api/public/a', 'the origin'],
    [`shop.${name}`, '/', 'wide'],
    [`www.${name}`, '/any', 'api'],
  ];
  for (const [host, path, answer] of asked)
    await eventually(async () => (await site.ask(host, path)).body === answer, `${host}${path}: ${answer}`);
  const rule = { action: 'block', filter: { expression: 'http.request.uri.path contains "secret"' } };
  ok((await site.call(`POST /zones/${zone}/firewall/rules`, [rule])).success);
  await eventually(async () => (await site.ask(name, '/api/secret')).status === 403, 'rules stand in front');

  ok((await site.call(`DELETE /zones/${zone}/workers/routes/${none.result.id}`)).success);
  await eventually(
    async () => (await site.ask(name, '/api/public/a')).body === 'api',
    'a route that is gone',
  );
  ok((await site.call('DELETE W/api')).success);
  await eventually(
    async () => (await site.ask(name, '/api/a')).body === 'the origin',
    'the routes go with their Worker',
  );
  const { result } = await site.call(`GET /zones/${zone}/workers/routes`);
  deepEqual(
    result.map(({ pattern }: { pattern: string }) => pattern),
    [`*.${name}/*`],
  );
});

test('the times at which a Worker is called are set apart from its versions', async (t) => {
  const site = await UploadSite.start(t);
  const code = 'export default { fetch: () => new Response(), scheduled() {} };';
  ok((await site.call('PUT W/clock', createForm({ code }))).success);
  equal((await site.call('PUT W/clock/schedules', [{ cron: 'never' }])).errors[0]?.code, 10100);
  equal((await site.call('PUT W/other/schedules', [])).errors[0]?.code, 10007);
  const set = await site.call('PUT W/clock/schedules', [{ cron: '* * * * *' }]);
  deepEqual(
    set.result.schedules.map(({ cron }: { cron: string }) => cron),
    ['* * * * *'],
  );
  ok((await site.call('PUT W/clock', createForm({ code }))).success);
  deepEqual((await site.call('GET W/clock/schedules')).result, set.result);
  ok((await site.call('PUT W/clock/schedules', [])).success);
  deepEqual((await site.call('GET W/clock/schedules')).result.schedules, []);
});

/** Returns the request of the origin, and its details. */
const passes = `export default { async fetch(request) {
  const { pathname, host } = new URL(request.url);
  if (pathname === '/pass/self') return fetch('http://' + host + '/pass/moved');
  if (pathname === '/pass/own') return new Response(await (await fetch(request, { headers: { 'x-own': '1' } })).text());
  const answer = await fetch(request);
  return new Response('through: ' + await answer.text(), answer);
} };`;

const classic = `addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  if (pathname === '/classic/origin') return;
  event.passThroughOnException();
  if (pathname === '/classic/throws') throw new Error('thrown');
  event.respondWith(answer(event.request));
});
async function answer(request) { return new Response([GREETING, self.GREETING, NOTE].join(' ')); }
`;

test('fetch inside a Worker reaches the origin of the zone, also by default from a script in the classic format', async (t) => {
  const origin = createServer((request, response) => {
    if (request.url === '/pass/moved') return response.writeHead(302, { location: '/pass/there' }).end();
    void text(request).then((body) => {
      const { host, 'cf-connecting-ip': client, 'x-own': own = '' } = request.headers;
      response
        .setHeader('x-origin', 'yes')
        .end(`${request.method} ${request.url} ${host} ${client as string} ${body}${own as string}`);
    });
    return undefined;
  });
  origin.listen(0, '127.0.0.1');
  await once(origin, 'listening');
  t.after(() => origin.close());
  const site = await UploadSite.start(t);
  const { id: zone, name } = site.ready.zones.find(({ plan }) => plan === 'enterprise')!;
  const { port } = origin.address() as AddressInfo;
  ok((await site.call(`PUT /zones/${zone}/edge`, { origin: { url: `http://127.0.0.1:${port}` } })).success);
  ok((await site.call('PUT W/pass', createForm({ code: passes }))).success);
  const form = new FormData();
  form.set('NOTE', new File(['a note'], 'note.txt', { type: 'text/plain' }));
  const bindings = [
    { type: 'plain_text', name: 'GREETING', text: 'hello' },
    { type: 'text_blob', name: 'NOTE', part: 'NOTE' },
  ];
  form.set('metadata', JSON.stringify({ body_part: 'index.js', bindings, compatibility_date: '2026-03-01' }));
  form.set('index.js', new File([classic], 'index.js', { type: 'application/javascript' }));
  const sent = await site.call('PUT W/classic', form);
  ok(sent.success, JSON.stringify(sent.errors));
  for (const worker of ['pass', 'classic'])
    ok((await site.call(`PUT W/${worker}/routes`, [{ pattern: `${name}/${worker}/*` }])).success);
  await eventually(
    async () => (await site.ask(name, '/pass/a?b=c')).body === `through: GET /pass/a?b=c ${name} 127.0.0.1 `,
    'the Worker asks the origin',
  );
  const posted = await site.ask(name, '/pass/form', { method: 'POST', body: 'a body' });
  equal(posted.body, `through: POST /pass/form ${name} 127.0.0.1 a body`);
  equal(posted.headers['x-origin'], 'yes');
  equal(
    (await site.ask(name, '/pass/self')).body,
    `GET /pass/there ${name} 127.0.0.1 `,
    'redirects are followed',
  );
  match((await site.ask(name, '/pass/own')).body, /^GET \/pass\/own .* 1$/);
  await eventually(
    async () => (await site.ask(name, '/classic/a')).body === 'hello hello a note',
    'the script answers',
  );
  for (const path of ['/classic/origin', '/classic/throws'])
    equal((await site.ask(name, path)).body, `GET ${path} ${name} 127.0.0.1 `);
});
