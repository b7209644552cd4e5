/** Projects in the form that other tools create: generated configurations, build commands, folders of Pages. */
import { deepEqual, equal, match, ok, rejects, throws } from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from './config/config-file.ts';
import { ProjectBuilder } from './project.ts';
import { createProject, startWorker, writeFiles } from './testing.ts';

/** As Wrangler writes it, with every key. */
const generated = {
  configPath: '/somewhere/wrangler.jsonc',
  userConfigPath: '/somewhere/wrangler.jsonc',
  topLevelName: 'site',
  definedEnvironments: [],
  legacy_env: true,
  name: 'site',
  main: 'index.js',
  no_bundle: true,
  rules: [{ type: 'ESModule', globs: ['**/*.js', '**/*.mjs'] }],
  compatibility_date: '2026-11-01',
  compatibility_flags: [],
  jsx_factory: 'React.createElement',
  jsx_fragment: 'React.Fragment',
  triggers: {},
  vars: {},
  durable_objects: { bindings: [] },
  workflows: [],
  migrations: [],
  cloudchamber: {},
  // Newer than Gatehouse.
  k2: [],
  send_email: [],
  queues: { producers: [], consumers: [] },
  vectorize: [],
  hyperdrive: [],
  services: [{ binding: 'SIDE', service: 'side' }],
  analytics_engine_datasets: [],
  dispatch_namespaces: [],
  mtls_certificates: [],
  pipelines: [],
  ratelimits: [],
  secrets_store_secrets: [],
  unsafe: {},
  unsafe_hello_world: [],
  logfwdr: { bindings: [] },
  observability: { enabled: true },
  python_modules: { exclude: ['**/*.pyc'] },
  build: { command: '' },
  dev: { ip: 'localhost' },
};

test('readConfig follows .wrangler/deploy/config.json to what a build has written, with the Workers beside it', async (t) => {
  const path = createProject(t, {
    'wrangler.jsonc': { name: 'source', main: 'virtual:entry', compatibility_date: '2026-11-01' },
    '.dev.vars': 'SECRET=of the project',
    '.wrangler/deploy/config.json': {
      configPath: '../../dist/site/wrangler.json',
      auxiliaryWorkers: [{ configPath: '../../dist/side/wrangler.json' }],
    },
    'dist/site/wrangler.json': generated,
    'dist/site/index.js': `import { part } from './assets/part.js';
      export default { fetch: async (_, env) => new Response(part + env.SECRET + await (await env.SIDE.fetch('http://side')).text()) };`,
    'dist/site/assets/part.js': "export const part = 'built, ';",
    'dist/side/wrangler.json': { ...generated, name: 'side', services: [] },
    'dist/side/index.js': "export default { fetch: () => new Response(', beside') };",
  });
  const { text, said } = await startWorker(t, { path });
  equal(await text('/'), 'built, of the project, beside');
  deepEqual(said, []);
  ok(existsSync(join(path, '.gatehouse', 'state')), 'state outlives a build');
  throws(
    () => readConfig({ path, environment: 'staging' }),
    /choose it when you build \(CLOUDFLARE_ENV=staging\)/,
  );
  rmSync(join(path, 'dist'), { recursive: true });
  throws(
    () => readConfig({ path }),
    /config\.json names .*dist\/site\/wrangler\.json, which does not exist: build the project/,
  );
});

test('readConfig finds the configuration of a module that is named as its main, and no other', (t) => {
  const path = createProject(t, {
    'wrangler.json': { name: 'configured', main: 'src/index.ts', compatibility_date: '2026-11-01' },
    'src/index.ts': '',
    'src/other.ts': '',
    'package.json': {},
  });
  equal(readConfig({ path: join(path, 'src/index.ts') }).name, 'configured');
  equal(readConfig({ path: join(path, 'src/other.ts') }).name, 'other');
});

test('readConfig takes a folder as main, and says how a Pages project is served', (t) => {
  const path = createProject(t, {
    'wrangler.json': { main: 'dist/_worker.js', compatibility_date: '2026-11-01' },
    'dist/_worker.js/index.js': '',
  });
  equal(readConfig({ path }).main, join(path, 'dist/_worker.js/index.js'));
  writeFiles(path, { 'wrangler.json': { pages_build_output_dir: 'dist' } });
  throws(
    () => readConfig({ path }),
    /wrangler\.json: pages_build_output_dir makes this a Pages project.*"main": "dist\/_worker\.js"/,
  );
  writeFiles(path, { 'functions/a.js': '' });
  throws(
    () => readConfig({ path }),
    /compile functions\/ first \(wrangler pages functions build --outdir dist\/_worker\.js\)/,
  );
});

test('ProjectBuilder runs build.command first, again when what it reads has changed, and shows what it said', async (t) => {
  const config = (command: string): object => ({
    main: 'out/index.js',
    compatibility_date: '2026-11-01',
    build: { command },
  });
  const path = createProject(t, {
    'wrangler.json': config('mkdir -p out && cp src/index.js out/index.js && echo run >> runs.txt'),
    'src/index.js': 'export default 1;',
  });
  await using builder = new ProjectBuilder({ path });
  const build = async (): Promise<string> => {
    const files = new Set<string>();
    const [built] = await builder.build(files);
    ok(files.has(join(path, 'src/index.js')));
    return (Object.values(built!.modules.modules)[0] as { readonly text: string }).text;
  };
  match(await build(), /index_default = 1/);
  await build();
  writeFiles(path, { 'src/index.js': 'export default 20;' });
  match(await build(), /index_default = 20/);
  equal(readFileSync(join(path, 'runs.txt'), 'utf8'), 'run\nrun\n');
  writeFiles(path, {
    'wrangler.json': config('echo what is wrong >&2; exit 3'),
    'src/index.js': 'export default 300;',
  });
  await rejects(build(), /build\.command failed \(exit code 3\): echo .*\nwhat is wrong/);
});

test('find_additional_modules offers files to a bundle that imports them by names which it makes up', async (t) => {
  const path = createProject(t, {
    'wrangler.jsonc': {
      name: 'site',
      main: 'src/index.ts',
      compatibility_date: '2026-11-01',
      find_additional_modules: true,
      rules: [{ type: 'ESModule', globs: ['words/*.js'] }],
    },
    'src/index.ts': `import { count } from './words/state.js';
      import { part } from './part.ts';
      export default { async fetch(request: Request) {
        const word = new URL(request.url).pathname.slice(1);
        if (word === 'count') return new Response(part + count());
        const { default: said } = await import('./words/'.concat(word, '.js'));
        return new Response(said);
      } };`,
    'src/part.ts': "export const part: string = 'counted ';",
    'src/words/state.js':
      'let times = 0; export const count = () => times; export const add = () => { times++; };',
    'src/words/en.js':
      "import { add } from './state.js'; add(); globalThis.word = 'hello'; export default word;",
  });
  const { text, said } = await startWorker(t, { path });
  equal(await text('/count'), 'counted 0');
  equal(await text('/en'), 'hello');
  // The module exists once, for the bundle and for its imports.
  equal(await text('/count'), 'counted 1');
  deepEqual(said, []);
});
