/** The changed line of each public class, and the resulting failure. The story of each is in the file with its name. */
export interface Planted {
  /** The packages and the parts used. */
  readonly class: string;
  /** The package that has it; the class is ours, written after a public sample, if there is none. */
  readonly package: string | undefined;
  /** The file that is changed. */
  readonly file: RegExp;
  /** A text that occurs once in the file, and its replacement. */
  readonly change: {
    readonly from: string;
    readonly to: string;
    /** Where to search for it, if it occurs more than once. */ readonly after?: string;
  };
  readonly mistake: string;
}

export const samples: Readonly<Record<string, Planted>> = {
  'opennext-purge': {
    class: 'BucketCachePurge',
    package: '@opennextjs/cloudflare',
    file: /durable-objects\/bucket-cache-purge\.js$/,
    change: { from: 'WHERE tag IN', to: 'WHERE 1 OR tag IN' },
    mistake: 'forgets everything after a purge, also what came while it waited for the answer',
  },
  'opennext-tags': {
    class: 'DOShardedTagCache',
    package: '@opennextjs/cloudflare',
    file: /durable-objects\/sharded-tag-cache\.js$/,
    change: { from: 'CREATE TABLE IF NOT EXISTS', to: 'CREATE TABLE' },
    mistake: 'creates its table at each start',
  },
  'hono-rate-limiter': {
    class: 'DurableObjectRateLimiter',
    package: '@hono-rate-limiter/cloudflare',
    file: /@hono-rate-limiter\/cloudflare\/index\.esm\.js$/,
    change: { from: 'put("value",s),s', to: 'put("value",s,{allowUnconfirmed:true}),s' },
    mistake: 'answers before the hit is on disk',
  },
  'durable-utils-migrations': {
    class: 'SQLSchemaMigrations',
    package: 'durable-utils',
    file: /durable-utils\/sql-migrations\.esm\.js$/,
    change: { from: 'idMonotonicInc <= this', to: 'idMonotonicInc < this' },
    mistake: 'runs the last migration again at each start',
  },
  'actors-storage': {
    class: 'Storage',
    package: '@cloudflare/actors',
    file: /storage\/src\/sql-schema-migrations\.js$/,
    change: {
      from: 'idMonotonicInc <= __classPrivateFieldGet',
      to: 'idMonotonicInc < __classPrivateFieldGet',
    },
    mistake: 'runs the last migration again at each start',
  },
  'workers-qb-migrations': {
    class: 'DOQB',
    package: 'workers-qb',
    file: /workers-qb\/dist\/index\.mjs$/,
    change: {
      after: 'var syncMigrationsBuilder',
      from: 'includes(migration.name)',
      to: 'includes(migration.sql)',
    },
    mistake: 'looks for migrations by another name than the one that is written down',
  },
  'dofs-files': {
    class: 'Fs',
    package: 'dofs',
    file: /dofs\/dist\/index\.js$/,
    change: {
      from: 'row && row.max != null ? Number(row.max) + 1 : 2',
      to: 'this.ino = (this.ino ?? 1) + 1',
    },
    mistake: 'counts its files in memory',
  },
  'itty-durable': {
    class: 'IttyDurable',
    package: 'itty-durable',
    file: /itty-durable\/itty-durable\.js$/,
    change: {
      from: "storage.put('data', persistable)",
      to: "storage.put('data', persistable, { allowUnconfirmed: true })",
    },
    mistake: 'answers before its properties are on disk',
  },
  'actors-alarms': {
    class: 'Alarms',
    package: '@cloudflare/actors',
    file: /alarms\/src\/index\.js$/,
    change: { from: 'ORDER BY time ASC', to: 'ORDER BY time DESC' },
    mistake: 'sets the alarm to the last time instead of the next',
  },
  'drizzle-migrator': {
    class: 'migrate',
    package: 'drizzle-orm',
    file: /durable-sqlite\/migrator\.js$/,
    change: { from: '< migration.folderMillis', to: '<= migration.folderMillis' },
    mistake: 'runs the last migration again at each start',
  },
  'partyserver-room': {
    class: 'Server',
    package: 'partyserver',
    file: /partyserver\/dist\/index\.js$/,
    change: {
      after: 'async fetch(request)',
      from: 'await this.#ensureInitialized()',
      to: 'void this.#ensureInitialized()',
    },
    mistake: 'does not wait until what is stored is loaded',
  },
  'y-partyserver-document': {
    class: 'YServer',
    package: 'y-partyserver',
    file: /y-partyserver\/dist\/server\/index\.js$/,
    change: { from: 'applyUpdate(this.document, state)', to: 'encodeStateVector(this.document)' },
    mistake: 'begins with an empty document after each start',
  },
  'tinybase-storage': {
    class: 'createDurableObjectStoragePersister',
    package: 'tinybase',
    file: /persister-durable-object-storage\/index\.js$/,
    change: { from: 'await storage.transaction', to: 'void storage.transaction' },
    mistake: 'answers before what it answers for is written',
  },
  'tinybase-sql': {
    class: 'createDurableObjectSqlStoragePersister',
    package: 'tinybase',
    file: /persister-durable-object-sql-storage\/index\.js$/,
    change: { from: 'CREATE TABLE IF NOT EXISTS ${tablesTable}', to: 'CREATE TABLE ${tablesTable}' },
    mistake: 'creates its table at each start',
  },
  'kysely-counter': {
    class: 'DODialect',
    package: 'kysely-do',
    file: /kysely-do\/dist\/index\.js$/,
    change: {
      from: 'const rows = cursor.toArray();',
      to: 'const rows = await new Promise((r) => setTimeout(() => r(cursor.toArray()), 1));',
    },
    mistake: 'waits for a timer before it reads the rows, so other calls come in between two queries',
  },
  'actors-persist': {
    class: 'Actor',
    package: '@cloudflare/actors',
    file: /core\/src\/persist\.js$/,
    change: { from: 'CREATE TABLE IF NOT EXISTS', to: 'CREATE TABLE' },
    mistake: 'creates its table at each start, ignores the error and begins with nothing',
  },
  'agents-state': {
    class: 'Agent, State',
    package: 'agents',
    file: /agents\/dist\/state\/index\.js$/,
    change: { from: '"INSERT OR REPLACE INTO', to: '"INSERT OR IGNORE INTO' },
    mistake: 'keeps the first state instead of the last, which shows when the object starts again',
  },
  'agents-queue': {
    class: 'Agent, Queue',
    package: 'agents',
    file: /agents\/dist\/lifecycle-.*\.js$/,
    change: { from: 'WHERE time <= ? ORDER BY', to: 'WHERE time <= ? AND running = 0 ORDER BY' },
    mistake: 'leaves out work that was under way when the host stopped',
  },
  'agents-schedule': {
    class: 'Agent, Scheduler',
    package: 'agents',
    file: /agents\/dist\/lifecycle-.*\.js$/,
    change: { from: '`SELECT MIN(time) AS time', to: '`SELECT MAX(time) AS time' },
    mistake: 'sets the alarm to the last time instead of the next',
  },
  'durable-utils-shards': {
    class: 'StaticShardedDO',
    package: 'durable-utils',
    file: /durable-utils\/do-sharding\.esm\.js$/,
    change: {
      from: 'async () => await doer(stub, shard)',
      to: 'async (attempt) => await doer(this.#stub((shard + attempt - 1) % this.N), shard)',
    },
    mistake: 'tries again at another shard',
  },
  'opennext-queue': {
    class: 'DOQueueHandler',
    package: '@opennextjs/cloudflare',
    file: /durable-objects\/queue\.js$/,
    change: { from: 'SELECT * FROM failed_state', to: 'SELECT * FROM failed_state WHERE 0' },
    mistake: 'forgets at a start which pages have failed',
  },
  batcher: {
    class: 'Batcher',
    package: undefined,
    file: /anew\/batcher\.ts$/,
    change: { from: 'delete([...items.keys()])', to: 'deleteAll()' },
    mistake:
      'forgets everything after a batch, also what came while it was sent, as the documented sample does',
  },
  theatre: {
    class: 'Theatre',
    package: undefined,
    file: /anew\/theatre\.ts$/,
    change: { from: 'get<string>(seat)', to: 'get<string>(seat, { allowConcurrency: true })' },
    mistake: 'lets other calls in between reading and writing',
  },
  account: {
    class: 'Account',
    package: undefined,
    file: /anew\/account\.ts$/,
    change: {
      from: 'pay(key: string, amount: number): Promise<void> {',
      to: 'pay(_key: string, amount: number): Promise<void> { const key = crypto.randomUUID();',
    },
    mistake: 'has its own key for each attempt',
  },
};
