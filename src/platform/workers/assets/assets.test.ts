import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { HtmlHandling } from '../config/assets-settings.ts';
import { createProject, startWorker } from '../testing.ts';
import { findAsset } from './asset-path.ts';

test('findAsset gives every page one address', () => {
  const files = new Set([
    '/index.html',
    '/page.html',
    '/dir/index.html',
    '/both.html',
    '/both/index.html',
    '/plain.txt',
    '/bin',
  ]);
  const ask = (path: string, handling: HtmlHandling): string => {
    const found = findAsset(path, handling, (each) => files.has(each));
    if (found === undefined) return 'none';
    return found.kind === 'file' ? `= ${found.path}` : `> ${found.to}`;
  };
  const cases: [path: string, auto: string, force: string, drop: string, none: string][] = [
    ['/', '= /index.html', '= /index.html', '= /index.html', 'none'],
    ['/index.html', '> /', '> /', '> /', '= /index.html'],
    ['/index', '> /', '> /', '> /', 'none'],
    ['/page', '= /page.html', '> /page/', '= /page.html', 'none'],
    ['/page/', '> /page', '= /page.html', '> /page', 'none'],
    ['/page.html', '> /page', '> /page/', '> /page', '= /page.html'],
    ['/dir', '> /dir/', '> /dir/', '= /dir/index.html', 'none'],
    ['/dir/', '= /dir/index.html', '= /dir/index.html', '> /dir', 'none'],
    ['/dir/index', '> /dir/', '> /dir/', '> /dir', 'none'],
    ['/dir/index.html', '> /dir/', '> /dir/', '> /dir', '= /dir/index.html'],
    ['/both', '= /both.html', '> /both/', '= /both.html', 'none'],
    ['/both/', '= /both/index.html', '= /both/index.html', '> /both', 'none'],
    ['/plain.txt', ...(Array(4).fill('= /plain.txt') as [string, string, string, string])],
    ['/bin', ...(Array(4).fill('= /bin') as [string, string, string, string])],
    ['/absent', ...(Array(4).fill('none') as [string, string, string, string])],
  ];
  for (const [path, auto, force, drop, none] of cases) {
    equal(ask(path, 'auto-trailing-slash'), auto, `auto ${path}`);
    equal(ask(path, 'force-trailing-slash'), force, `force ${path}`);
    equal(ask(path, 'drop-trailing-slash'), drop, `drop ${path}`);
    equal(ask(path, 'none'), none, `none ${path}`);
  }
});

const worker = `
  import { DurableObject } from 'cloudflare:workers';
  export default { async fetch(request, env) {
    const url = new URL(request.url);
    if (url.pathname.startsWith('/through')) return env.ASSETS.fetch(new URL(url.searchParams.get('path'), url));
    return new Response('worker ' + url.pathname);
  } };`;

const files = {
  'index.js': worker,
  'secret.txt': 'not an asset',
  'public/index.html': '<h1>home</h1>',
  'public/page.html': 'page',
  'public/404.html': 'lost',
  'public/app.js': 'app()',
  'public/with space.txt': 'space',
  'public/_headers':
    '/app.js\n  Cache-Control: public, max-age=60\n  X-One: 1\n/*\n  X-All: :splat\n/page\n  ! ETag\n',
  'public/_redirects':
    '# moved\n/old /page 301\n/blog/* https://blog.test/:splat\n/user/:id /page?id=:id 308\nbad line\n',
};

const assets = (rest: object = {}): object => ({
  main: 'index.js',
  assets: { directory: 'public', binding: 'ASSETS', ...rest },
});

test('assets are served before the Worker, which gets the rest', async (t) => {
  const directory = createProject(t, { 'wrangler.json': assets(), ...files });
  symlinkSync(join(directory, 'secret.txt'), join(directory, 'public', 'link.txt'));
  const { fetch, text } = await startWorker(t, { path: directory });
  const home = await fetch('/');
  equal(await home.text(), '<h1>home</h1>');
  equal(home.headers.get('content-type'), 'text/html; charset=utf-8');
  equal(home.headers.get('cache-control'), 'public, max-age=0, must-revalidate');
  const again = await fetch('/', { headers: { 'if-none-match': home.headers.get('etag')! } });
  deepEqual([again.status, await again.text()], [304, '']);
  const moved = await fetch('/page.html?a=1');
  deepEqual([moved.status, moved.headers.get('location')], [307, '/page?a=1']);
  const app = await fetch('/app.js');
  deepEqual(
    ['cache-control', 'x-one', 'x-all', 'content-type'].map((name) => app.headers.get(name)),
    ['public, max-age=60', '1', 'app.js', 'text/javascript; charset=utf-8'],
  );
  equal((await fetch('/page')).headers.get('etag'), null);
  equal(await text('/with%20space.txt'), 'space');
  equal((await fetch('/app.js', { method: 'POST' })).status, 405);
  equal((await (await fetch('/app.js', { method: 'HEAD' })).text()).length, 0);
  for (const path of [
    '/none',
    '/_headers',
    '/link.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/a%00',
    '/%',
  ]) {
    equal(await text(path), `worker ${new URL(path, 'http://a').pathname}`);
  }
  const redirects = await Promise.all(['/old?x=1', '/blog/a/b', '/user/7'].map((path) => fetch(path)));
  deepEqual(
    redirects.map(({ status, headers }) => [status, headers.get('location')]),
    [
      [301, '/page?x=1'],
      [302, 'https://blog.test/a/b'],
      [308, '/page?id=7'],
    ],
  );
  equal(await text('/through?path=/page'), 'page');
  equal((await fetch('/through?path=/none')).status, 404);
});

test('_redirects with status 200 serves the asset of another path of the site, and names those of other sites', async (t) => {
  const directory = createProject(t, {
    'wrangler.json': assets(),
    ...files,
    'public/_redirects': [
      '/shown /page 200',
      '/named/:page /:page.html?a=1 200',
      '/app/* /index.html 200',
      '/none /nothing 200',
      '/site https://blog.test/ 200',
      '/other //blog.test/ 200',
    ].join('\n'),
  });
  const { fetch, text, said } = await startWorker(t, { path: directory });
  const shown = await fetch('/shown');
  deepEqual(
    [shown.status, await shown.text(), shown.headers.get('content-type')],
    [200, 'page', 'text/html; charset=utf-8'],
  );
  equal(await text('/named/page?b=2'), 'page');
  equal(await text('/app/deep/path'), '<h1>home</h1>');
  equal((await fetch('/none')).status, 404);
  equal((await fetch('/shown', { method: 'POST' })).status, 405);
  for (const path of ['/site', '/other']) equal(await text(path), `worker ${path}`);
  deepEqual(
    said
      .filter((line) => line.includes('_redirects'))
      .map((line) => /rule "(.*?)" is left out/.exec(line)?.[1]),
    ['/site https://blog.test/ 200', '/other //blog.test/ 200'],
  );
});

test('assets follow not_found_handling and run_worker_first', async (t) => {
  const start = async (rest: object) => {
    const directory = createProject(t, { 'wrangler.json': assets(rest), ...files });
    return await startWorker(t, { path: directory });
  };
  const navigate = { headers: { 'sec-fetch-mode': 'navigate' } };
  const spa = await start({ not_found_handling: 'single-page-application' });
  const page = await spa.fetch('/any/where', navigate);
  deepEqual([page.status, await page.text()], [200, '<h1>home</h1>']);
  equal(await spa.text('/any/where'), 'worker /any/where');
  const lost = await start({ not_found_handling: '404-page' });
  const missing = await lost.fetch('/any/where', navigate);
  deepEqual([missing.status, await missing.text()], [404, 'lost']);
  equal((await lost.fetch('/through?path=/none')).status, 404);
  const first = await start({ run_worker_first: true });
  equal(await first.text('/page'), 'worker /page');
  const some = await start({ run_worker_first: ['/p*', '!/page.html'] });
  equal(await some.text('/page'), 'worker /page');
  equal((await some.fetch('/page.html')).status, 307);
  equal(await some.text('/app.js'), 'app()');
});

/** The files that frameworks create in the folder, beside those for visitors. */
const built = {
  'index.js': worker,
  'dist/_worker.js/index.js': 'server()',
  'dist/_worker.js/chunks/key.mjs': 'secret()',
  'dist/server/entry.mjs': 'entry()',
  'dist/.dev.vars': 'KEY=1',
  'dist/sub/.env.local': 'KEY=1',
  'dist/wrangler.json': '{}',
  'dist/node_modules/a/index.js': 'a()',
  'dist/.git/config': 'git',
  'dist/.gatehouse/state/journal': 'state',
  'dist/_headers': '',
  'dist/app.js': 'app()',
  'dist/sub/wrangler.json': 'an asset of its own',
  'dist/.well-known/security.txt': 'contact',
};
const builtConfig = { main: 'index.js', assets: { directory: 'dist', binding: 'ASSETS' } };

const notServed = [
  '/_worker.js/index.js',
  '/_worker.js/chunks/key.mjs',
  '/_worker.js%2findex.js',
  '//_worker.js//index.js',
  '/.%2f_worker.js/index.js',
  '/_worker.js/.%2findex.js',
  '/server/entry.mjs',
  '/.dev.vars',
  '/sub/.env.local',
  '/wrangler.json',
  '/node_modules/a/index.js',
  '/.git/config',
  '/.gatehouse/state/journal',
  '/_headers',
  '/.%2f_headers',
  '/.assetsignore',
];

test('assets leave out what Wrangler does not upload, before the Worker and through the binding', async (t) => {
  const directory = createProject(t, {
    ...built,
    'wrangler.json': builtConfig,
    'dist/.assetsignore': '_worker.js\nserver/\n',
  });
  const { fetch, text } = await startWorker(t, { path: directory });
  for (const path of notServed) {
    match(await text(path), /^worker /, path);
    equal((await fetch(`/through?path=${encodeURIComponent(path)}`)).status, 404, path);
  }
  equal(await text('/app.js'), 'app()');
  equal(await text('/sub/wrangler.json'), 'an asset of its own');
  equal(await text('/.well-known/security.txt'), 'contact');
  // Read again when it changes, like the files themselves.
  writeFileSync(join(directory, 'dist/.assetsignore'), '_worker.js\n!wrangler.json\napp.*\n');
  equal(await text('/wrangler.json'), '{}');
  equal(await text('/server/entry.mjs'), 'entry()');
  equal(await text('/app.js'), 'worker /app.js');
  // Without the file, the server of a Pages project still stays private.
  rmSync(join(directory, 'dist/.assetsignore'));
  equal(await text('/app.js'), 'app()');
  equal(await text('/_worker.js/index.js'), 'worker /_worker.js/index.js');
});

test('assets with a _worker.js need an .assetsignore, as under Wrangler', async (t) => {
  const files = { ...built, 'wrangler.json': builtConfig };
  await rejects(startWorker(t, { path: createProject(t, files) }), {
    name: 'ConfigError',
    message: /_worker\.js would be public: .*Write _worker\.js into .*\.assetsignore/,
  });
  const meant = createProject(t, { ...files, 'dist/.assetsignore': '' });
  const { text } = await startWorker(t, { path: meant });
  equal(await text('/_worker.js/index.js'), 'server()');
});

test('assets without a Worker answer every request', async (t) => {
  const directory = createProject(t, {
    ...files,
    'wrangler.json': { assets: { directory: 'public', not_found_handling: '404-page' } },
  });
  const { fetch, text, said } = await startWorker(t, { path: directory });
  equal(await text('/page'), 'page');
  const missing = await fetch('/none');
  deepEqual([missing.status, await missing.text()], [404, 'lost']);
  deepEqual(said, []);
});

test('assets are checked when the configuration is read', async (t) => {
  const cases: [object, RegExp][] = [
    [{ directory: 'none' }, /there is no folder .*none: correct assets\.directory/],
    [{ directory: '' }, /assets\.directory must be a string that is not empty/],
    [{ html_handling: 'maybe' }, /assets\.html_handling must be one of auto-trailing-slash/],
    [{ run_worker_first: 1 }, /assets\.run_worker_first must be true or false: 1/],
  ];
  for (const [rest, message] of cases) {
    const directory = createProject(t, { 'wrangler.json': assets(rest), ...files });
    await rejects(startWorker(t, { path: directory }), { name: 'ConfigError', message });
  }
});
