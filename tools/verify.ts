/**
 * The long sweeps, by name: those that compare, kill, fuzz or measure for minutes or hours, and that `npm test` does not run.
 *
 *     npm run verify                       lists them
 *     npm run verify -- NAME [ARGUMENTS]   runs one
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** By the names of their scripts in package.json, with what each shows; `documents` is only here. */
const sweeps: Readonly<Record<string, string>> = {
  documents: 'every block of every page of docs/ does what the page says',
  bench: 'how fast it is beside workerd, Node and nginx',
  'certificates:crowd': 'certificates of a thousand zones at once',
  clients: 'Terraform, its providers, and the SDKs for Go, Python and TypeScript',
  conformance: 'objects and Workers answer as in workerd',
  'conformance:bindings': 'KV, D1, queues, R2 and workflows answer as in miniflare',
  crash: 'no crash loses what was acknowledged',
  'crash:bindings': 'no kill loses what KV, D1, R2 and queues have acknowledged',
  'crash:workflows': 'workflows survive kills',
  crs: 'the promises about the OWASP Core Rule Set, with the real rules',
  'crs:compare': 'the rules match as in nginx with libmodsecurity',
  damage: 'what happens to a site whose files are damaged',
  dearest: 'the request that takes the managed rules longest',
  detection: 'what the managed rules find and miss',
  differential: 'requests by HTTP/1.1 and by HTTP/2 are judged the same',
  doors: 'no client reaches a private address from a Worker',
  everything: 'one of everything survives backup, restore and upgrade',
  executable: 'the single file, its image and its Debian package',
  fuzz: 'readers of hostile bytes',
  'fuzz:api': 'every operation with hostile input',
  h2spec: 'HTTP/2 as h2spec wants it',
  history: 'callers of a faulty cluster see no contradictions',
  hostile: 'ways to end or to stall the program',
  'kills:certificates': 'kills while a certificate is ordered',
  'kills:deploy': 'kills while Workers are uploaded',
  kills: 'kills of every command that writes',
  limits: 'how exactly rate limits count',
  lives: 'our own objects in the simulator',
  neighbours: 'what other zones and objects notice of an attack',
  paths: 'what origins and rules make of the same path',
  pebble: 'certificates from the test authority of Let’s Encrypt',
  pictures: 'every page and dialog as it was accepted',
  projects: 'programs with packages from npm',
  'projects:compare': 'the same programs under wrangler dev and here',
  properties: 'property tests with as many values as they say',
  scale: 'a simulated cluster of a thousand hosts',
  simulate: 'seeds that break a simulated cluster',
  'simulate:planted': 'the simulator finds a changed line in each of 24 classes',
  soak: 'an hour with everything on',
  starve: 'a cluster on a machine whose cores are all busy',
  stopwatch: 'the time from nothing to the first event',
  'test:cluster': 'the suites on a cluster',
  'test:hosts': 'the suites on two object hosts',
  'test:pooler': 'a cluster through PgBouncer',
  'test:slow-pages': 'the dashboard with slow requests',
  'test:workers': 'the edge with a worker process',
  uploads: 'files of twelve kinds through a protected site',
  vandals: 'a Worker that breaks everything it can reach',
  'vitest:compare': 'projects with tests for Vitest under the original and here',
  workers: 'kills of edge workers during 10,000 changes',
  wrangler: 'Wrangler from npm, three versions',
  'wrangler:projects': 'programs and templates deployed by Wrangler',
};

const [name, ...args] = process.argv.slice(2);
if (name !== undefined && Object.hasOwn(sweeps, name)) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const [file, ...rest] =
    name in scripts ? ['npm', 'run', name, '--'] : [process.execPath, join(root, 'test', name, 'run.ts')];
  process.exitCode = spawnSync(file, [...rest, ...args], { cwd: root, stdio: 'inherit' }).status ?? 1;
} else {
  const widest = Math.max(...Object.keys(sweeps).map(({ length }) => length));
  const lines = Object.entries(sweeps).map(([sweep, shows]) => `  ${sweep.padEnd(widest)}  ${shows}`);
  if (name !== undefined) console.error(`there is no sweep ${name}\n`);
  console.log(['usage: npm run verify -- NAME [ARGUMENTS]', '', ...lines].join('\n'));
  process.exitCode = name === undefined ? 0 : 2;
}
