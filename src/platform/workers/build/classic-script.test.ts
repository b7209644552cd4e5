/** Workers in the service worker format, built from projects; `test/wrangler/routes.test.ts` uploads one. */
import { deepEqual, equal, match, notEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { buildProjects } from '../project.ts';
import { createProject, startWorker, writeFiles } from '../testing.ts';

const script = `
  import { greet } from './greet';
  addEventListener('fetch', (event) => {
    const { pathname } = new URL(event.request.url);
    if (pathname === '/none') return;
    if (pathname === '/throws') throw new Error('thrown');
    event.respondWith(answer(event, pathname));
  });
  async function answer(event: FetchEvent, path: string) {
    await KV.put('path', path);
    GREETING += '!';
    event.waitUntil(KV.put('later', 'yes'));
    const V = 'a local name';
    const globals = [GREETING, self.GREETING, typeof NOTHING, SECRET, await self.KV.get('path'), V];
    return new Response(greet(globals.join(' ')));
  }`;

const config = {
  name: 'classic',
  main: 'index.ts',
  compatibility_date: '2026-01-01',
  vars: { GREETING: 'hello', 'not a name': 'x' },
  kv_namespaces: [{ binding: 'KV', id: 'kv' }],
  version_metadata: { binding: 'V' },
};

const files = {
  'wrangler.json': config,
  '.dev.vars': 'SECRET=s',
  'greet.ts': 'export const greet = (text: string) => `<${text} ${V.id.length}>`;',
  'index.ts': script,
};

const expected = (path: string, marks: string): string =>
  `<hello${marks} hello${marks} undefined s ${path} a local name 36>`;

test('Worker.start runs a project in the format of service workers, with its bindings as globals', async (t) => {
  const { text, said } = await startWorker(t, { path: createProject(t, files) });
  equal(await text('/a'), expected('/a', '!'));
  equal(await text('/b'), expected('/b', '!!'));
  await rejects(text('/none'), /no origin here that could answer instead/);
  await rejects(text('/throws'), /thrown/);
  deepEqual(
    said.filter((line) => line.includes('default export')),
    [],
  );
});

test('Worker.start runs one of a single file that is not bundled', async (t) => {
  const path = createProject(t, {
    'wrangler.json': { ...config, main: 'index.js', no_bundle: true },
    'index.js':
      "addEventListener('fetch', { handleEvent: (event) => event.respondWith(new Response(GREETING + V.tag)) });",
  });
  equal(await (await startWorker(t, { path })).text('/'), 'hello');
});

test('buildProjects stamps a version with its code and the time of its newest file', async (t) => {
  const path = createProject(t, {
    'wrangler.json': { ...config, main: 'module.ts' },
    'module.ts': 'export default { fetch: (_request: Request, env) => Response.json(env.V) };',
  });
  const readVersion = async () => {
    const [built] = await buildProjects({ path });
    return built!.config.vars['V'] as { id: string; tag: string; timestamp: string };
  };
  const first = await readVersion();
  match(first.id, /^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  deepEqual(await readVersion(), first, 'the same code is the same version');
  const { text } = await startWorker(t, { path });
  deepEqual(JSON.parse(await text('/')), first);
  writeFiles(path, { 'module.ts': 'export default { fetch: () => new Response() };' });
  notEqual((await readVersion()).id, first.id);
  equal(new Date(first.timestamp).toISOString(), first.timestamp);
});
