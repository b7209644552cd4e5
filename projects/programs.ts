/** Programs that get the same requests under `wrangler dev` and here. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Question } from './questions.ts';
import { smallPrograms } from './small.ts';

export interface Program {
  readonly name: string;
  /** A folder with a configuration, or a module. */
  readonly path: string;
  readonly isModule: boolean;
  readonly questions: readonly Question[];
  /** Makes the folder. */
  prepare?(): void;
}

const here = import.meta.dirname;
/** Of templates, below this folder, so that packages are found. */
const work = join(here, 'node_modules', '.programs');

const get = (path: string, answer = /./): Question => ({ path, answer });
const open = (path: string, answer: RegExp): Question => ({ path, answer, isOpened: true });

/** The requests for the programs in folders that need no controlled clock. */
const folders: Readonly<Record<string, readonly Question[]>> = {
  actors: [get('/?name=a', /"visits":1/), get('/note?name=a', /noted/), get('/?name=b', /"visits":1/)],
  agents: [get('/agents/tally/a', /"count":0/), { ...get('/absent'), status: 404 }],
  bindings: [get('/drizzle', /"changes":2/), get('/kysely', /ANN/), get('/greeted')],
  drizzle: [get('/add?title=milk', /milk/), get('/finish?id=1', /true/)],
  hono: [
    get('/page/you', /^<p>hello you<\/p>$/),
    { path: '/sum', body: '[1,2,3]', answer: /6/ },
    { ...get('/fail', /caught as asked/), status: 500 },
    get('/style.css', /teal/),
    { path: '/ws', say: 'hi', answer: /^echo hi$/ },
  ],
  'itty-durable': [get('/increment', /"counter":1/), get('/add', /7/)],
  party: [
    get('/parties/room/lobby', /"room":"lobby"/),
    { path: '/parties/room/lobby', say: 'hi', answer: /^lobby heard hi$/ },
    { path: '/parties/notes/a', body: 'one ', answer: /"text":"one "/ },
    { path: '/parties/notes/a', body: 'two ', answer: /"text":"two one "/ },
    { ...get('/absent', /no such party/), status: 404 },
  ],
  services: [
    get('/connect', /echo at some\.host:123: hello.*plain function at a:5: /),
    get('/fails', /^\["first",null\]$/),
    get('/refused', /cannot connect.*cannot connect.*missing port/),
    get('/names', /'alarm' is a reserved method.*"queue 1","email 1"/),
  ],
  'extra-handlers': [get('/queue', /"explicitAcks":\["a"\]/), get('/scheduled', /"noRetry":true/)],
  workflows: [
    get('/fails', /"three-1".*"two-1".*"two-1".*"one-1"/),
    get('/outside', /"outside of steps".*"one-1"/),
    get('/caught', /"output":"fine","said":null/),
    get('/stays', /"status":"errored"/),
    get('/options', /must be an object.*must be a function/),
    get('/terminate', /"status":"terminated"/),
    get('/batch', /duplicate_in_batch.*already_exists/),
    get('/delete', /instance.not_found/),
  ],
  tldraw: [
    { path: '/rooms/a', sayAnswerOf: '/connect', answer: /"type":"connect".*"document:document"/ },
    { path: '/rooms/a/rename', body: 'a drawing', answer: /\["document","document:document","a drawing"\]/ },
    get('/rooms/a', /"a drawing"/),
    get('/rooms/b', /\["document","document:document",""\]/),
    { path: '/uploads/a', headers: { 'content-type': 'text/x' }, body: 'a picture', answer: /"size":9/ },
    get('/uploads/a', /^bytes 0-8\/9: a picture$/),
    { ...get('/uploads/a?suffix', /^bytes 6-8\/9: ure$/), headers: { range: 'bytes=-3' }, status: 206 },
    { ...get('/uploads/a?range', /^bytes 2-4\/9: pic$/), headers: { range: 'bytes=2-4' }, status: 206 },
    { ...get('/uploads/b', /no such upload/), status: 404 },
  ],
  xstate: [get('/', /^"green"$/), get('/', /^"yellow"$/)],
  tinybase: [get('/cat', /"cat":\{"legs":4\}/), get('/spider', /"cat".*"spider"/)],
};

/** The responses of each template of `wrangler init`, by path. */
export const templates: Readonly<Record<string, readonly Question[]>> = {
  'hello-world/ts': [get('/', /^Hello World!$/)],
  'hello-world/js': [get('/', /^Hello World!$/)],
  'hello-world-durable-object/ts': [get('/', /^Hello, world!$/i)],
  'hello-world-durable-object/js': [get('/', /^Hello, world!$/i)],
  'hello-world-durable-object-with-assets/ts': [get('/', /<html/), get('/message', /^Hello, world!$/i)],
  'hello-world-with-assets/ts': [
    get('/', /<html/),
    get('/message', /^Hello, World!$/),
    get('/random', /^[\da-f-]{36}$/),
  ],
  'hello-world-assets-only/templates': [get('/', /<html/), { ...get('/absent', /^/), status: 404 }],
  'hello-world-workflows/ts': [get('/', /^\{"id":"[\da-f-]{36}","details":\{"status":"/)],
  'queues/ts': [get('/', /^Sent message to the queue$/)],
  'scheduled/ts': [get('/', /^To test the scheduled handler/)],
};

const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Those that a framework builds with its own command: the folders of `built/`. */
const built: Readonly<Record<string, readonly Question[]>> = {
  'react-router': [
    get('/', /hello from a loader/),
    get('/users/5', /<p>5<\/p>/),
    { ...get('/users/me', /^/), status: 302 },
    { ...get('/users/0'), status: 404 },
    { path: '/users/5', headers: form, body: 'name=Ada', answer: /<p>Ada<\/p>/ },
    get('/_.data', /hello from a loader/),
    open('/', /^no errors\n.*hello from a loader/s),
  ],
  'vite-react': [
    get('/', /<div id="root">/),
    get('/api/a', /"pathname":"\/api\/a"/),
    { ...get('/some/page', /<html/), isNavigation: true },
    { ...get('/some/page', /^$/), status: 404 },
  ],
  'vite-vue': [
    get('/', /<div id="app">/),
    get('/api/a', /"pathname":"\/api\/a"/),
    { ...get('/some/page', /<html/), isNavigation: true },
    { ...get('/some/page', /^$/), status: 404 },
  ],
  sveltekit: [
    get('/', /made by SvelteKit/),
    get('/users/5', /<p>5<\/p>/),
    { ...get('/users/0', /no such user/), status: 404 },
    get('/api?a=1', /"query":"\?a=1","hasPlatform":true/),
    get('/users/5/__data.json', /"data"/),
  ],
  astro: [
    get('/', /<b>2<\/b><b>4<\/b>/),
    get('/users/5.json', /"id":"5"/),
    { ...get('/absent'), status: 404 },
  ],
  // The classic one, whose packages want an older Vite and React than the others.
  remix: [
    get('/', /hello from a loader.*and what came later/s),
    get('/users/5', /<p>5<\/p>/),
    { ...get('/users/me', /^/), status: 302 },
    { ...get('/users/0', /no such user|404/), status: 404 },
    { path: '/users/5', headers: form, body: 'name=Ada', answer: /<p>Ada<\/p>/ },
    get('/api?a=1', /"query":"\?a=1"/),
    get('/users/5?_data=routes%2Fusers.%24id', /"id":"5"/),
    { ...get('/absent', /^/), status: 404 },
    open('/', /^no errors\n.*hello from a loader/s),
  ],
  // By OpenNext.
  next: [
    get('/', /hello from a server component/),
    get('/about', /made when it was built/),
    get('/users/5', /user 5/),
    { ...get('/users/0', /nothing here/), status: 404 },
    { ...get('/old', /^/), status: 307 },
    {
      path: '/api?a=1',
      headers: { 'x-asked': 'yes', cookie: 'c=2' },
      answer: /^\{"a":"1","agent":"yes","cookie":"2"\}$/,
    },
    { path: '/api', body: '{"name":"Ada"}', status: 201, answer: /"saved":"Ada"/ },
    get('/guarded', /"from":"the middleware"/),
    { ...get('/absent', /nothing here/), status: 404 },
  ],
  'tanstack-start': [
    get('/', /hello from a server function/),
    get('/api?a=1', /"query":"\?a=1"/),
    { ...get('/absent', /nothing here/), status: 404 },
    open('/', /^no errors\n.*hello from a server function/s),
  ],
};

/** Writes a template as the command fills it in. */
export function writeTemplate(name: string, folder: string): void {
  cpSync(join(here, 'node_modules', 'create-cloudflare', 'templates', name), folder, { recursive: true });
  const config = join(folder, 'wrangler.jsonc');
  const filled = readFileSync(config, 'utf8')
    .replaceAll('<WORKER_NAME>', 'template')
    .replaceAll('<TBD>', 'template')
    .replace('<COMPATIBILITY_DATE>', '2026-11-01');
  writeFileSync(config, filled);
}

function describeTemplate([name, questions]: [string, readonly Question[]]): Program {
  const path = join(work, name.replaceAll('/', '-'));
  return {
    name: `template ${name}`,
    path,
    isModule: false,
    questions,
    prepare() {
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path, { recursive: true });
      writeTemplate(name, path);
    },
  };
}

const builtFolder = join(here, 'built');
/** Programs that cannot share the packages of the others. */
const withOwnPackages: ReadonlySet<string> = new Set(['next', 'remix']);

function run(command: string, args: readonly string[], folder: string): void {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CI: '1', ASTRO_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1' },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}

function describeBuilt([name, questions]: [string, readonly Question[]]): Program {
  const path = join(builtFolder, name);
  return {
    name,
    path,
    isModule: false,
    questions,
    prepare() {
      const packages = withOwnPackages.has(name) ? path : builtFolder;
      if (!existsSync(join(packages, 'node_modules', '.package-lock.json')))
        run(
          'npm',
          [
            'install',
            '--no-package-lock',
            '--no-audit',
            '--no-fund',
            '--loglevel=error',
            '--legacy-peer-deps',
          ],
          packages,
        );
      // OpenNext runs `npm run build` itself, for Next's output.
      run('npm', ['run', name === 'next' ? 'build:worker' : 'build'], path);
    },
  };
}

export const programs: readonly Program[] = [
  ...Object.entries(built).map(describeBuilt),
  ...Object.entries(folders).map(([name, questions]) => ({
    name,
    path: join(here, name),
    isModule: false,
    questions,
  })),
  ...Object.entries(templates).map(describeTemplate),
  ...Object.entries(smallPrograms).map(([name, questions]) => ({
    name,
    path: join(here, 'small', `${name}.js`),
    isModule: true,
    questions,
  })),
];
