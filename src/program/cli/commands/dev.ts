import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Arguments, type Command, UsageError } from '../command.ts';
import { readWholeNumber } from '../parse-arguments.ts';
import type { DevSetup } from '../dev/start-dev.ts';
import { superviseDev } from '../dev/supervise-dev.ts';
import { readTime } from '../time-arguments.ts';

const listenOptions = {
  port: { value: 'N', help: 'port to listen on, 0 for any free one (8787)' },
  host: { value: 'ADDRESS', help: 'address to listen on (127.0.0.1)' },
  'ready-file': { value: 'FILE', help: 'file for {"url"}, written as JSON when the server accepts requests' },
  durability: {
    value: 'disk|os',
    choices: ['disk', 'os'],
    help: 'disk: a response waits until its writes are on disk; os: until they are in the kernel (disk)',
  },
} as const;

function listenSettings(args: Arguments) {
  return {
    port: readWholeNumber(args, 'port', { min: 0, max: 65_535 }) ?? 8787,
    host: args.values['host'] ?? '127.0.0.1',
    readyFile: args.values['ready-file'],
    durability: args.values['durability'] as 'disk' | 'os' | undefined,
  };
}

/** The limit of CPU time for one event: Cloudflare's. */
const cpuMsDefault = 30_000;

/** With two, an object that blocks its process leaves about half of the others unaffected. */
const hostsMaxDefault = 2;

/** A long time for a query of an object: the other objects of its process wait for it. */
const statementMsDefault = 1_000;
const hostBytesDefault = 1_073_741_824;

/** The default port of debuggers. */
const inspectorPort = 9229;

export const devCommand: Command = {
  name: 'dev',
  parameters: '[path]',
  summary: 'Run a Worker with its Durable Objects, and reload it whenever its code changes.',
  details: `path is a wrangler.jsonc, wrangler.json or wrangler.toml, a directory that contains one, or a module; the
current directory by default. For a bare module every exported class that extends DurableObject is bound
under its own name, with SQL storage.

A link to a page with the objects is printed at the start: their values and tables, SQL, alarms, and the
history of each, to which it can be restored. Only this machine can open it.

The Worker runs in a process of its own, and its objects in two more. If code uses the CPU for longer than --cpu-ms
without a pause, such as an endless loop, or an SQL statement takes longer than --statement-ms, its process is ended and
replaced: objects start again from what is on disk. The object that caused it is paused for a while.

With --clock virtual, time stands still until gatehouse clock moves it, so that alarms can be tried without
waiting. The objects are then kept in a temporary directory, unless --persist-to names one.`,
  options: {
    ...listenOptions,
    'persist-to': {
      value: 'DIRECTORY',
      help: 'directory of the objects (.gatehouse/state beside the configuration)',
    },
    'dashboard-port': {
      value: 'N|off',
      help: 'port on 127.0.0.1 of the page that shows the objects, 0 for any free one (0)',
    },
    env: { value: 'NAME', help: 'environment of the configuration to run' },
    worker: {
      value: 'PATH',
      isRepeatable: true,
      help: 'another Worker to run alongside, for service bindings and script_name',
    },
    'no-watch': { help: 'do not reload when files change' },
    quiet: { help: 'do not print a line for each request' },
    json: { help: 'print lines of JSON instead of text' },
    inspect: {
      value: 'PORT',
      isOptional: true,
      help: `let a debugger connect to 127.0.0.1, 0 for any free port (${inspectorPort})`,
    },
    clock: {
      value: 'real|virtual',
      choices: ['real', 'virtual'],
      help: 'virtual: time moves only by gatehouse clock (real)',
    },
    hosts: {
      value: 'N',
      help: 'number of processes for the objects; 1: the process of the Worker (2 if there are two cores; 1 with --inspect or --cluster)',
    },
    'host-bytes': {
      value: 'N',
      help: `JavaScript memory of each of several hosts, beyond which the host is ended and replaced (${hostBytesDefault})`,
    },
    'cpu-ms': {
      value: 'N',
      help: `CPU time in milliseconds that code may use without a pause (${cpuMsDefault})`,
    },
    'statement-ms': {
      value: 'N',
      help: `CPU time in milliseconds that an SQL statement may use in an object; in elapsed time, three times as long (${statementMsDefault})`,
    },
    cluster: {
      value: 'URL',
      help: 'PostgreSQL database that keeps the objects, or several with spaces between them, for hosts on several machines',
    },
    'cluster-listen': {
      value: 'ADDRESS:PORT',
      help: 'where this process answers other hosts of the cluster (127.0.0.1, any free port)',
    },
    at: { value: 'TIME', help: 'time at which a virtual clock starts, RFC 3339 (now)' },
  },
  async run(args) {
    const { host, port, readyFile, durability } = listenSettings(args);
    const clockStart = readClockStart(args, host);
    const cpuMs = readWholeNumber(args, 'cpu-ms', { min: 1, max: 86_400_000 }) ?? cpuMsDefault;
    const statementMs =
      readWholeNumber(args, 'statement-ms', { min: 1, max: 86_400_000 }) ?? statementMsDefault;
    const cluster = readCluster(args);
    const inspectPort = readInspectPort(args);
    // A debugger must reach the objects as well, and a cluster has its own processes.
    const hostsDefault =
      cluster === undefined && inspectPort === undefined
        ? Math.min(hostsMaxDefault, availableParallelism())
        : 1;
    const hosts = readWholeNumber(args, 'hosts', { min: 1, max: 64 }) ?? hostsDefault;
    if (cluster !== undefined && hosts > 1)
      throw new UsageError(
        '--cluster and --hosts exclude each other: start gatehouse dev several times instead',
      );
    using state = chooseDirectory(args, clockStart);
    return await superviseDev({
      host,
      port,
      readyFile,
      durability,
      clockStart,
      dashboardPort: readDashboardPort(args),
      inspectPort,
      format: args.switches.has('json') ? 'json' : 'text',
      requests: args.switches.has('quiet') ? 'quiet' : 'shown',
      path: args.positionals[0] ?? '.',
      environment: args.values['env'],
      workers: args.repeated['worker'] ?? [],
      directory: state.directory,
      watch: !args.switches.has('no-watch'),
      hosts,
      cluster,
      cpuMs,
      statementMs,
      ends: [],
      hostBytes:
        readWholeNumber(args, 'host-bytes', { min: 16_777_216, max: 1_099_511_627_776 }) ?? hostBytesDefault,
    });
  },
};

/** Undefined for no page. */
function readDashboardPort(args: Arguments): number | undefined {
  if (args.values['dashboard-port'] === 'off') return undefined;
  return readWholeNumber(args, 'dashboard-port', { min: 0, max: 65_535 }) ?? 0;
}

function readCluster({ values }: Arguments): DevSetup['cluster'] {
  const { cluster: url, 'cluster-listen': listen } = values;
  if (url === undefined) {
    if (listen !== undefined) throw new UsageError('--cluster-listen needs --cluster');
    return undefined;
  }
  // Hides the URL, which every user of the machine could see otherwise.
  process.title = 'gatehouse: dev';
  if (listen === undefined) return { url, listen: {} };
  if (!URL.canParse(`tcp://${listen}`))
    throw new UsageError(`--cluster-listen takes an address and a port: ${listen}`);
  const { hostname, port } = new URL(`tcp://${listen}`);
  return { url, listen: { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) } };
}

/** The start of a virtual clock; undefined for the real one. */
function readClockStart({ values }: Arguments, host: string): number | undefined {
  const { clock, at } = values;
  if (clock !== 'virtual') {
    if (at !== undefined) throw new UsageError('--at needs --clock virtual');
    return undefined;
  }
  if (!/^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host))
    throw new UsageError(
      `--clock virtual needs a loopback --host, because every client can move time: ${host}`,
    );
  return at === undefined ? Date.now() : readTime('--at', at);
}

/** The address for debuggers, if they are allowed. */
function readInspectPort(args: Arguments): number | undefined {
  const port = readWholeNumber(args, 'inspect', { min: 0, max: 65_535 });
  return port ?? (args.switches.has('inspect') ? inspectorPort : undefined);
}

/** Objects with a virtual future must not be mixed with those of the real present. */
function chooseDirectory(
  { values }: Arguments,
  clockStart: number | undefined,
): Disposable & { readonly directory: string | undefined } {
  const { 'persist-to': persistTo } = values;
  if (persistTo !== undefined || clockStart === undefined)
    return {
      directory: persistTo === undefined ? undefined : resolve(persistTo),
      [Symbol.dispose]() {},
    };
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-virtual-'));
  return { directory, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) };
}
