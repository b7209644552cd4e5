/** Static assets of uploaded Workers: sessions, files by hash, one by one or together, and what serves them. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { temporary } from '../server/gatehouse.ts';
import { describe, type Files, hashOf, only, post, send } from './send-assets.ts';
import { createForm, UploadSite } from './upload-site.ts';

test('static assets are sent by hash, served by their version, and go back with it', async (t) => {
  const directory = temporary(t);
  const site = await UploadSite.start(t, { directory });
  const first: Files = { '/index.html': '<h1>one</h1>', '/about.html': 'about', '/style.css': 'a {}' };
  const config = {
    not_found_handling: '404-page',
    _headers: '/style.css\n  x-from: rules\n',
    _redirects: '/old /about 301\n',
  };
  const jwt = await send(site, 'site', first);
  const put = await site.call('PUT W/site', only({ assets: { jwt, config } }));
  ok(put.success, JSON.stringify(put.errors));
  ok((await site.call('POST W/site/subdomain', { enabled: true })).success);
  const ask = (path: string) => site.ask('site.workers.example', path);
  await eventually(async () => (await ask('/')).body === '<h1>one</h1>', 'the page is served');
  const style = await ask('/style.css');
  deepEqual([style.headers['x-from'], style.headers['content-type']], ['rules', 'text/css; charset=utf-8']);
  const moved = await ask('/old');
  deepEqual([moved.status, moved.headers.location], [301, '/about']);
  equal((await ask('/about')).body, 'about');
  equal((await ask('/none')).status, 404);

  const second: Files = { ...first, '/index.html': '<h1>two</h1>' };
  const { result } = await site.call('POST W/site/assets-upload-session', { manifest: describe(second) });
  deepEqual(result.buckets, [[hashOf('<h1>two</h1>')]], 'what is here is not sent again');
  const wrong = await post(site, `/${hashOf('<h1>two</h1>')}`, result.jwt, 'another length');
  equal(wrong.json.errors[0]?.code, 10906);
  equal((await post(site, `/${hashOf('x')}`, result.jwt, 'x')).json.errors[0]?.code, 10906);
  equal((await post(site, `/${hashOf('x')}`, 'a.b.c', 'x')).json.errors[0]?.code, 10906);
  const early = await site.call('PUT W/site', only({ assets: { jwt: result.jwt } }));
  equal(early.errors[0]?.code, 10906, 'a session that is not complete is no upload');
  const form = new FormData();
  const base64 = Buffer.from('<h1>two</h1>').toString('base64');
  form.set(hashOf('<h1>two</h1>'), new File([base64], hashOf('<h1>two</h1>'), { type: 'text/html' }));
  const sent = await post(site, '?base64=true', result.jwt, form);
  equal(sent.status, 201);
  const code = `export default { async fetch(request, env) {
    if (new URL(request.url).pathname === '/api') return new Response('code');
    return env.ASSETS.fetch(request);
  } };`;
  const metadata = {
    assets: { jwt: sent.json.result.jwt, config },
    bindings: [{ type: 'assets', name: 'ASSETS' }],
  };
  const next = await site.call('PUT W/site', createForm({ code, metadata }));
  ok(next.success, JSON.stringify(next.errors));
  equal((await ask('/')).body, '<h1>two</h1>');
  equal((await ask('/api')).body, 'code');
  match((await ask('/style.css')).headers.etag!, /^"/);

  await site.server.end('SIGKILL');
  const again = await UploadSite.start(t, { directory });
  const read = async () => (await again.ask('site.workers.example')).body;
  await eventually(async () => (await read()) === '<h1>two</h1>', 'they outlive a kill');
  const versions = [{ version_id: put.result.deployment_id, percentage: 100 }];
  ok((await again.call('POST W/site/deployments', { versions, strategy: 'percentage' })).success);
  equal(await read(), '<h1>one</h1>', 'the files of the version before are back');
  const kept = readdirSync(join(directory, 'data/worker-assets'));
  equal(kept.length, 6, 'four files and two lists');
  ok((await again.call('DELETE W/site')).success);
});
