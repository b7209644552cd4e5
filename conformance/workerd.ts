/**
 * The original, `workerd`, as a child process: the modules of a folder with the classes and variables of a wrangler
 * file, on a port that it chooses. The worker is served twice: with storage on disk, and with storage in memory, which
 * is the only way to reach its key-value machine outside the hosted service.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { lastText, stopped } from './child.ts';
import { classesOf, readWrangler, type Wrangler } from './wrangler.ts';

export interface Workerd {
  readonly url: string;
  readonly memoryUrl: string;
  readonly pid: number;
  /** Kills it as a crash would. */
  kill(): Promise<void>;
}

export interface WorkerdOptions {
  /** The folder whose package has `workerd`. */
  readonly package: string;
  readonly wranglerPath: string;
  /** The directory for configuration and data; using it again is a restart. */
  readonly directory: string;
}

export function workerdVersion(packageDirectory: string): string {
  return createRequire(join(packageDirectory, 'package.json'))('workerd').version as string;
}

export async function startWorkerd(options: WorkerdOptions): Promise<Workerd> {
  const wrangler = readWrangler(options.wranglerPath);
  const modulesDirectory = join(options.directory, 'modules');
  cpSync(resolve(dirname(options.wranglerPath), dirname(wrangler.main)), modulesDirectory, {
    recursive: true,
  });
  mkdirSync(join(options.directory, 'data'), { recursive: true });
  const configPath = join(options.directory, 'config.capnp');
  writeFileSync(configPath, configuration(wrangler, modulesDirectory, options.directory));

  const binary = createRequire(join(options.package, 'package.json'))('workerd').default as string;
  const child = spawn(binary, ['serve', configPath, '--control-fd=3'], {
    stdio: ['ignore', 'inherit', 'pipe', 'pipe'],
  });
  const complaints = lastText(child.stderr!);
  const ports = await listeningPorts(child);
  if (ports === undefined) throw new Error(`workerd ended before it listened: ${complaints()}`);
  return {
    url: `http://127.0.0.1:${ports.disk}`,
    memoryUrl: `http://127.0.0.1:${ports.memory}`,
    pid: child.pid!,
    kill: () => stopped(child, 'SIGKILL'),
  };
}

/** The worker first, because that is the one workerd starts. */
function moduleNames(main: string, directory: string): string[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.js'),
  );
  return [main, ...names.filter((name) => name !== main)];
}

function configuration(wrangler: Wrangler, modulesDirectory: string, directory: string): string {
  const main = relative(dirname(wrangler.main), wrangler.main);
  const modules = moduleNames(main, modulesDirectory).map(
    (name) => `(name = ${text(name)}, esModule = embed ${text(`modules/${name}`)})`,
  );
  const namespaces = classesOf(wrangler).map(
    ({ name, sql }) => `(className = ${text(name)}, uniqueKey = ${text(name)}, enableSql = ${sql})`,
  );
  const bindings = [
    ...wrangler.durable_objects.bindings.map(
      ({ name, class_name }) => `(name = ${text(name)}, durableObjectNamespace = ${text(class_name)})`,
    ),
    ...Object.entries(wrangler.vars ?? {}).map(([name, value]) =>
      typeof value === 'string'
        ? `(name = ${text(name)}, text = ${text(value)})`
        : `(name = ${text(name)}, json = ${text(JSON.stringify(value))})`,
    ),
  ];
  const worker = (storage: string): string => `(
    modules = [${modules.join(', ')}],
    compatibilityDate = ${text(wrangler.compatibility_date)},
    compatibilityFlags = [${(wrangler.compatibility_flags ?? []).map(text).join(', ')}],
    durableObjectNamespaces = [${namespaces.join(', ')}],
    durableObjectStorage = (${storage}),
    bindings = [${bindings.join(', ')}]
  )`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "disk", worker = ${worker('localDisk = "data"')}),
    (name = "memory", worker = ${worker('inMemory = void')}),
    (name = "data", disk = (path = ${text(join(directory, 'data'))}, writable = true))
  ],
  sockets = [
    (name = "disk", address = "127.0.0.1:0", http = (), service = "disk"),
    (name = "memory", address = "127.0.0.1:0", http = (), service = "memory")
  ]
);
`;
}

/** A capnp string; its escapes are a superset of JSON's. */
function text(value: string): string {
  return JSON.stringify(value);
}

async function listeningPorts(child: ChildProcess): Promise<{ disk: number; memory: number } | undefined> {
  const control = child.stdio[3] as NodeJS.ReadableStream;
  const ports: Record<string, number> = {};
  let pending = '';
  for await (const chunk of control) {
    pending += String(chunk);
    const lines = pending.split('\n');
    pending = lines.pop()!;
    for (const line of lines) {
      const event = JSON.parse(line) as { event: string; socket?: string; port?: number };
      if (event.event === 'listen') ports[event.socket!] = event.port!;
    }
    if (ports['disk'] !== undefined && ports['memory'] !== undefined) {
      return { disk: ports['disk'], memory: ports['memory'] };
    }
  }
  return undefined;
}
