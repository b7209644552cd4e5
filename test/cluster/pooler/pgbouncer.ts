/** A real PgBouncer in front of a server, on a Unix socket. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PostgresServer } from '../postgres-server.ts';
import { createUnprivilegedDirectory, giveAway, unprivileged } from '../unprivileged.ts';
import { type Release, unpackPgBouncer } from './unpack-pgbouncer.ts';

export interface PgBouncerOptions {
  readonly release: Release;
  readonly server: PostgresServer;
  readonly settings: Readonly<Record<string, string>>;
}

const port = 6432;

export class PgBouncer {
  readonly #directory: string;
  readonly #process: ChildProcess;

  private constructor(directory: string, child: ChildProcess) {
    this.#directory = directory;
    this.#process = child;
  }

  static async start({ release, server, settings }: PgBouncerOptions): Promise<PgBouncer> {
    const [file, ...args] = unpackPgBouncer(release);
    const directory = createUnprivilegedDirectory('gatehouse-pgbouncer-');
    const all = {
      listen_port: String(port),
      unix_socket_dir: directory,
      auth_type: 'trust',
      auth_file: join(directory, 'users.txt'),
      // Fewer than the hosts open, so that they have to share them.
      default_pool_size: '3',
      max_client_conn: '1000',
      // Otherwise a restarted server is not contacted for 15 seconds.
      server_login_retry: '1',
      ...settings,
    };
    const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
    const configuration = ['[databases]', `* = host=${dirname(server.socketPath)}`, '[pgbouncer]', ...lines];
    writeFileSync(join(directory, 'pgbouncer.ini'), `${configuration.join('\n')}\n`);
    writeFileSync(join(directory, 'users.txt'), '"gatehouse" ""\n');
    for (const name of ['pgbouncer.ini', 'users.txt']) giveAway(join(directory, name));
    const child = spawn(file, [...args, join(directory, 'pgbouncer.ini')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: directory,
      ...unprivileged,
    });
    let said = '';
    for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
      said += String(chunk);
      if (said.includes('process up')) break;
    }
    if (!said.includes('process up')) throw new Error(`PgBouncer did not start: ${said}`);
    child.stderr.resume();
    return new PgBouncer(directory, child);
  }

  get socketPath(): string {
    return join(this.#directory, `.s.PGSQL.${port}`);
  }

  /** The URL of the same database, through here. */
  urlThrough(url: string): string {
    const through = new URL(url);
    through.port = String(port);
    through.searchParams.set('host', this.#directory);
    return through.href;
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
