/** The processes of the benchmark: their ports, and their processor time. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopped } from '../../conformance/child.ts';

export interface Started extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  /** The next line that the process prints. */
  nextLine(): Promise<string>;
  /** The line that it prints in answer to one. */
  ask(line: string): Promise<string>;
  stop(): Promise<void>;
}

/** A script that prints its port first. */
export async function startScript(
  name: string,
  args: readonly (string | number)[],
  flags: readonly string[] = [],
): Promise<Started> {
  const script = join(import.meta.dirname, 'children', name);
  const child = spawn(process.execPath, [...flags, script, ...args.map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = linesOf(child);
  return started(child, Number(await lines()), lines);
}

function linesOf(child: ChildProcess): () => Promise<string> {
  const lines: AsyncIterator<string> = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  return async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error(`${child.spawnargs.join(' ')} ended without a word`);
    return value;
  };
}

function started(child: ChildProcess, port: number, nextLine: Started['nextLine']): Started {
  const stop = (): Promise<void> => stopped(child, 'SIGTERM');
  const ask = (line: string): Promise<string> => {
    child.stdin!.write(`${line}\n`);
    return nextLine();
  };
  return { port, pid: child.pid!, nextLine, ask, stop, [Symbol.asyncDispose]: stop };
}

const nginxPaths = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx'];

/** A firewall that is a module of nginx. */
export interface NginxFirewall {
  readonly module: string;
  /** Where the libraries of the module are. */
  readonly libraries: string;
  readonly rulesFile: string;
}

export interface SecureFiles {
  readonly certificate: string;
  readonly key: string;
}

interface NginxOptions {
  readonly firewall?: NginxFirewall;
  /** For TLS with HTTP/2. */
  readonly secure?: SecureFiles;
  /** Counts requests by address, but stops none of the benchmark. */
  readonly limits?: boolean;
}

/** One process that forwards requests and keeps connections; undefined if it is not installed. */
export async function startNginx(
  directory: string,
  originPort: number,
  options: NginxOptions = {},
): Promise<Started | undefined> {
  const { firewall } = options;
  const nginx = nginxPaths.find((path) => existsSync(path));
  if (nginx === undefined) return undefined;
  const port = await freePort();
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'nginx.conf');
  writeFileSync(file, nginxConfiguration(port, originPort, options));
  const child = spawn(nginx, ['-p', directory, '-c', file, '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...(firewall === undefined ? {} : { LD_LIBRARY_PATH: firewall.libraries }) },
  });
  await untilOpen(port, child);
  return started(child, port, () => Promise.reject(new Error('nginx says nothing')));
}

export function nginxVersion(): string {
  const nginx = nginxPaths.find((path) => existsSync(path));
  return nginx === undefined
    ? ''
    : execFileSync('sh', ['-c', `${nginx} -v 2>&1`], { encoding: 'utf8' }).trim();
}

function nginxConfiguration(
  port: number,
  originPort: number,
  { firewall, secure, limits }: NginxOptions,
): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
${firewall === undefined ? '' : `load_module ${firewall.module};`}
daemon off;
master_process off;
worker_processes 1;
pid nginx.pid;
error_log stderr crit;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_buffer_size 128k;
  ${firewall === undefined ? '' : `modsecurity on; modsecurity_rules_file ${firewall.rulesFile};`}
  ${limits === true ? 'limit_req_zone $binary_remote_addr zone=a:10m rate=1000000r/s;' : ''}
  keepalive_requests 100000000;
  ${temporary.map((name) => `${name}_temp_path ${name};`).join('\n  ')}
  upstream origin {
    server 127.0.0.1:${originPort};
    keepalive 64;
    keepalive_requests 100000000;
  }
  server {
    listen 127.0.0.1:${port}${secure === undefined ? '' : ' ssl http2'};
    ${secure === undefined ? '' : `ssl_certificate ${secure.certificate}; ssl_certificate_key ${secure.key};`}
    http2_max_concurrent_streams 256;
    location / {
      ${limits === true ? 'limit_req zone=a burst=1000000 nodelay;' : ''}
      proxy_pass http://origin;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
    }
  }
}
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilOpen(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 250; attempt++) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (isOpen) return;
    await sleep(20);
  }
  throw new Error('nginx does not listen');
}

/** Time on a processor that the threads of a process have used so far. Linux counts it in nanoseconds. */
export function cpuMsOf(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).reduce((sum, task) => {
    const [nanoseconds] = readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ');
    return sum + Number(nanoseconds) / 1e6;
  }, 0);
}
