/** The benchmark: one module, two servers, one run, ratios. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions, refuseOptions } from '../tools/read-options.ts';
import { workerdVersion } from '../conformance/workerd.ts';
import { benchLiveObjects, benchManyObjects } from './crowds.ts';
import { benchHttp } from './http.ts';
import { benchOperations } from './operations.ts';
import { markdownOf } from './report.ts';
import type { Result } from './result.ts';
import { type Server, startServers } from './servers.ts';
import { benchWake } from './wake.ts';

type Bench = (servers: readonly [Server, Server], small: boolean, directory: string) => Promise<Result[]>;

const benches: Readonly<Record<string, Bench>> = {
  operations: benchOperations,
  http: benchHttp,
  wake: benchWake,
  'live-objects': benchLiveObjects,
  'many-objects': (_servers, small, directory) => benchManyObjects(directory, small),
};

/** Chapters that are separate processes and print their tables. */
const chapters: Readonly<Record<string, { readonly title: string; readonly about: string }>> = {
  api: {
    title: 'The API',
    about:
      'On loopback with durable writes, from 32 connections, beside plain `node:http` and beside the same journal with nothing but HTTP in front.',
  },
  account: {
    title: 'An account with many zones',
    about:
      'Processor time of `gatehouse serve` with its edge, what it does in the background included; the median of ten writes of each kind.',
  },
  edge: {
    title: 'The edge',
    about: 'On loopback, one origin, 32 connections; every proxy takes its turn in one run.',
  },
  owasp: {
    title: 'The OWASP Core Rule Set',
    about:
      'The same rules and requests in nginx with libmodsecurity and in our edge, taking turns. Packages of Debian; needs nginx and apt. The requests come again and again, and ours remembers what is known of short values that recur; `node bench/owasp/bench.ts --renewed` puts new words into every argument.',
  },
  detection: {
    title: 'The managed rules with their detectors',
    about: 'Processor time to judge a request, and the dearest inputs that were made for it.',
  },
  rules: {
    title: 'The rules language',
    about:
      'Next to what wirefilter (Rust, release build) took on this kind of machine, as stated to us, not measured here.',
  },
  rehearsal: {
    title: 'Rehearsing a migration',
    about:
      'Each request is judged by the legacy and by the new managed rules. Processor time, with reading the recording; suggestions replay the traffic again and are not counted.',
  },
  search: {
    title: 'The activity log',
    about: 'The first page of a search, newest first, in the log of a zone with a month of events.',
  },
  page: {
    title: 'The dashboard',
    about:
      'A real Chromium, and a zone with a million events of the last month. The longest task of the page’s main thread is how long a reader waits for an answer to a key or a click. Processor time, which does not depend on what else the machine does; the clock does.',
  },
  serve: {
    title: 'The listener of `gatehouse dev`',
    about: 'Processor time of one request, beside @hono/node-server over the same Worker.',
  },
  values: {
    title: 'Stored values',
    about: 'Nanoseconds to write and to read a value, beside the serialiser of V8, whose bytes are the same.',
  },
  hosts: {
    title: 'Calls between processes',
    about:
      'A call to an object in this process, and to one in a host process: one after the other, and the processor time of both processes with many under way.',
  },
  cluster: {
    title: 'A cluster on PostgreSQL',
    about:
      'A real PostgreSQL 18 with syncs to disk, the hosts and whoever calls them share this machine. Each host drives its own share of the objects. Failover is from the kill of a host to the first answer of one of its objects elsewhere, with the default lease.',
  },
  sockets: {
    title: 'Sockets with hibernation',
    about:
      'Processor time of the server, and what it takes more for each socket once its object has left memory. 1,000 sockets chosen at random are woken afterwards, and each answer is checked.',
  },
  projects: {
    title: 'Projects under `gatehouse dev`',
    about:
      'A small project (a router from npm, an object, three files of TypeScript) bundled and served; medians.',
  },
  workflows: {
    title: 'Workflows',
    about:
      'Steps that do nothing, from `create` to the end of the instances; both sides keep every result on disk.',
  },
  simulator: {
    title: 'Simulated lives',
    about:
      'A counter with 20 operations of three clients in each life, with faults and their checks, beside the same operations on the runtime that serves objects, syncs to disk included; for each second of processor time.',
  },
  'many-sockets': {
    title: '100,000 sockets',
    about:
      'Held at the same time by objects that have left memory, over as many servers as the limit of open files takes. 1,000 chosen at random are woken, and each answer is checked.',
  },
};

const names = [...Object.keys(benches), ...Object.keys(chapters)];
const usage = `usage: npm run bench -- [options]

Runs workerd and Gatehouse side by side and prints the ratios; about half an hour on a quiet machine.

  --only NAME   one of ${names.join(', ')}
  --small       a quick look, about a minute
  --write       keep each table in docs/benchmarks.md when it is made; the others stay
  --help        this text`;
const options = readOptions(usage, {
  small: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  only: { type: 'string' },
});
if (options.only !== undefined && !names.includes(options.only)) {
  refuseOptions(usage, `--only takes one of ${names.join(', ')}: ${options.only}`);
}

async function runBenches(directory: string): Promise<Result[]> {
  const servers = await startServers(directory);
  const results: Result[] = [];
  try {
    for (const [name, bench] of Object.entries(benches)) {
      if (options.only !== undefined && options.only !== name) continue;
      console.error(`${name} …`);
      results.push(...(await bench(servers, options.small, directory)));
    }
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
  return results;
}

interface Section {
  /** Its first line in the page. */
  readonly heading: string;
  readonly text: string;
}

const objectsHeading = '## Objects beside workerd';
const today = new Date().toISOString().slice(0, 10);

function runChapter(name: string): Section {
  console.error(`${name} …`);
  const { title, about } = chapters[name]!;
  const script = join(import.meta.dirname, name, 'bench.ts');
  const tables = execFileSync(process.execPath, [script, ...(options.small ? ['--small'] : [])], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const heading = `## ${title}`;
  const made = `\`npm run bench -- --only ${name}${options.small ? ' --small' : ''}\`, ${today}.`;
  return { heading, text: `${heading}\n\n${about} ${made}\n\n${tables}` };
}

async function runObjects(): Promise<Section> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const command = ['npm run bench', ...(options.small ? ['-- --small'] : [])].join(' ');
  try {
    const results = await runBenches(directory);
    const text = markdownOf(results, {
      heading: objectsHeading,
      workerdVersion: workerdVersion(import.meta.dirname),
      command,
      date: today,
    });
    return { heading: objectsHeading, text };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Replaces the section with the same heading. A run takes long, so each is kept when it is done. */
function keep({ heading, text }: Section): void {
  const docs = join(import.meta.dirname, '..', 'docs');
  mkdirSync(docs, { recursive: true });
  const file = join(docs, 'benchmarks.md');
  const page = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const sections = page.split(/^(?=#{1,2} )/m).filter((section) => section !== '');
  const place = sections.findIndex((section) => section.startsWith(`${heading}\n`));
  sections.splice(place < 0 ? sections.length : place, place < 0 ? 0 : 1, text);
  writeFileSync(file, sections.map((section) => `${section.trimEnd()}\n`).join('\n'));
}

async function run(name: string, measure: () => Section | Promise<Section>): Promise<void> {
  try {
    const section = await measure();
    console.log(section.text);
    if (options.write) keep(section);
  } catch (error) {
    console.error(`${name} failed:`, error);
    process.exitCode = 1;
  }
}

if (options.only === undefined || Object.hasOwn(benches, options.only)) await run('objects', runObjects);
for (const name of Object.keys(chapters)) {
  if (options.only === undefined || options.only === name) await run(name, () => runChapter(name));
}
