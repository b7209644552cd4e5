import { deepEqual } from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createRuntime, type DurableObjectState, type Runtime } from '#objects';
import { noAcme } from '../context/acme-settings.ts';
import { Directory } from '../context/directory.ts';
import type { ControlEnvironment } from '../context/environment.ts';
import { KeySealer } from '../context/key-sealer.ts';
import { SealingKeyFile } from '../sealing-key-file.ts';
import { SessionObject } from '../sessions/session-object.ts';
import { Account } from './account.ts';
import { ClusterState } from './cluster-state.ts';
import { Zone } from './zone.ts';

/** The statements that created the database of an object, each on one line. */
function readSchema({ storage }: DurableObjectState): string[] {
  const rows = storage.sql.exec<{ sql: string }>(
    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name <> 'sqlite_sequence'",
  );
  return Array.from(rows, ({ sql }) =>
    sql.replaceAll(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')'),
  );
}

const laterColumns = ['assets', 'class_changes'];

const classes = {
  Account: class extends Account {
    readSchema(): string[] {
      return readSchema(this.ctx);
    }

    /** Gives it the tables of the version without assets and migrations of versions, with a Worker in them. */
    becomeOlder(): void {
      const { sql } = this.ctx.storage;
      sql.exec(`INSERT INTO worker_versions VALUES ('version', 'worker', 1, 1, 'a', 'wrangler', '{}', 'digest', 'index.js',
        NULL, '[]', '[]', '{}', '[]', '[]', '{}', 1, NULL, NULL)`);
      for (const column of laterColumns) sql.exec(`ALTER TABLE worker_versions DROP COLUMN ${column}`);
    }

    readVersions(): unknown[] {
      return this.ctx.storage.sql.exec(`SELECT id, ${laterColumns.join()} FROM worker_versions`).toArray();
    }
  },
  Zone: class extends Zone {
    readSchema(): string[] {
      return readSchema(this.ctx);
    }
  },
  SessionObject: class extends SessionObject {
    readSchema(): string[] {
      return readSchema(this.ctx);
    }
  },
  ClusterState: class extends ClusterState {
    readSchema(): string[] {
      return readSchema(this.ctx);
    }
  },
};

let directory: string;
let runtime: Runtime;
let open: () => Promise<Runtime>;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-schema-'));
  const env: ControlEnvironment = {
    keySealer: new KeySealer(new SealingKeyFile(join(directory, 'certificates.key'))),
    directory: new Directory(),
    ready: Promise.resolve(),
    checkOrigin: { findObstacle: () => undefined, workers: undefined },
    directoryRevisionsKept: 0,
    prepare: () => undefined,
    findHostId: () => '',
    acme: noAcme,
    outbound: { origins: undefined, mail: undefined },
    onChange: () => {},
    onError: (error) => {
      throw error;
    },
  };
  const stored = Object.entries(classes).map(([name, each]) => [name, { class: each, storage: 'sql' }]);
  open = () => createRuntime({ directory, env, classes: Object.fromEntries(stored), durability: 'os' });
  runtime = await open();
});

after(async () => {
  await runtime.close();
  await rm(directory, { recursive: true });
});

// Databases with these tables exist. Changing a statement here does not change them: that needs a migration step.
for (const name of Object.keys(classes)) {
  test(`${name} creates the tables that the databases of earlier versions have`, async () => {
    const file = new URL(`./testdata/schemas/${name}.sql`, import.meta.url);
    const object = runtime.namespace<{ readSchema(): string[] }>(name).getByName('one') as {
      readSchema(): Promise<string[]>;
    };
    const created = (await object.readSchema()).toSorted();
    deepEqual(created, (await readFile(file, 'utf8')).trimEnd().split('\n'));
  });
}

test('Account opens a database of the version before Workers had assets, and keeps its Workers', async () => {
  type Opened = { becomeOlder(): void; readVersions(): unknown[] };
  await runtime.namespace<Opened>('Account').getByName('older').becomeOlder();
  await runtime.close();
  runtime = await open();
  deepEqual(await runtime.namespace<Opened>('Account').getByName('older').readVersions(), [
    { id: 'version', assets: null, class_changes: null },
  ]);
});
