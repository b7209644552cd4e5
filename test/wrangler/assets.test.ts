/** Static assets of uploaded Workers: sessions, files by hash, one by one or together, and their serving. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { temporary } from '../server/gatehouse.ts';
import { createForm, type Envelope, UploadSite } from './upload-site.ts';

type Files = Readonly<Record<string, string>>;

const hashOf = (content: string): string => createHash('md5').update(content).digest('hex');

function describe(files: Files): Record<string, { hash: string; size: number }> {
  const entries = Object.entries(files).map(([path, content]) => [
    path,
    { hash: hashOf(content), size: Buffer.byteLength(content) },
  ]);
  return Object.fromEntries(entries);
}

async function post(
  site: UploadSite,
  path: string,
  jwt: string,
  body: string | FormData,
): Promise<{ readonly status: number; readonly json: Envelope }> {
  const answer = await fetch(
    `${site.ready.api}/accounts/${site.ready.account_id}/workers/assets/upload${path}`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${jwt}` },
      body,
    },
  );
  return { status: answer.status, json: (await answer.json()) as Envelope };
}

/** Sends missing files, one by one; returns the token for the upload. */
async function send(site: UploadSite, worker: string, files: Files): Promise<string> {
  const { result } = await site.call(`POST W/${worker}/assets-upload-session`, { manifest: describe(files) });
  let { jwt } = result;
  for (const hash of result.buckets.flat()) {
    const content = Object.values(files).find((each) => hashOf(each) === hash)!;
    const { status, json } = await post(site, `/${hash}`, result.jwt, content);
    ok(status === 202 || status === 201, JSON.stringify(json));
    jwt = json.result.jwt ?? jwt;
  }
  return jwt;
}

function only(metadata: object): FormData {
  const form = new FormData();
  form.set('metadata', JSON.stringify({ compatibility_date: '2026-03-01', ...metadata }));
  return form;
}

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
  const files = kept.map((name) => join(directory, 'data/worker-assets', name));
  const stored = files.find((file) => readFileSync(file, 'utf8') === 'a {}')!;
  writeFileSync(stored, 'b {}');
  equal((await again.ask('site.workers.example', '/style.css')).status, 500, 'a bit on the disk has changed');
  match(again.server.stderr, /worker-assets.* is damaged: deploy the Worker again/);
  ok((await again.call('DELETE W/site')).success);
});

test('an asset is what was sent for its Worker, whatever another client has sent under the same hash', async (t) => {
  const directory = temporary(t);
  const site = await UploadSite.start(t, { directory });
  const hash = hashOf('real');
  const manifest = { '/file.txt': { hash, size: 4 } };
  const deploy = async (worker: string, content: string): Promise<void> => {
    const { result } = await site.call(`POST W/${worker}/assets-upload-session`, { manifest });
    deepEqual(result.buckets, [[hash]], 'no Worker has it yet, or another Worker has');
    const { json } = await post(site, `/${hash}`, result.jwt, content);
    ok((await site.call(`PUT W/${worker}`, only({ assets: { jwt: json.result.jwt } }))).success);
    ok((await site.call(`POST W/${worker}/subdomain`, { enabled: true })).success);
  };
  await deploy('false', 'fake');
  await deploy('site', 'real');
  for (const [worker, content] of [
    ['site', 'real'],
    ['false', 'fake'],
  ] as const) {
    const read = async (): Promise<string> => (await site.ask(`${worker}.workers.example`, '/file.txt')).body;
    await eventually(async () => (await read()) === content, `${worker} serves its own file`);
  }
  const folder = join(directory, 'data/worker-assets');
  for (const name of readdirSync(folder))
    equal(
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
      name,
    );
});
