import { deepEqual } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRuntime, DurableObject } from '#objects';
import { auditTables, AuditTrail } from '../stores/audit/audit-trail.ts';
import { system } from '../context/caller.ts';
import { eraseAllButAudit } from './erasure.ts';

class Filled extends DurableObject {
  fill(): void {
    const { sql } = this.ctx.storage;
    for (const table of auditTables) table.create(sql);
    sql.exec('CREATE TABLE parents (id INTEGER PRIMARY KEY AUTOINCREMENT)');
    sql.exec('CREATE TABLE "children of" (parent INTEGER NOT NULL REFERENCES parents (id))');
    sql.exec('INSERT INTO parents VALUES (1), (2)');
    sql.exec('INSERT INTO "children of" VALUES (1), (2)');
    const change = { resource: 'parent', id: '1', before: undefined, after: {} };
    new AuditTrail(sql).append(change, { actor: system, operation: 'parents.create', atMs: 1 });
  }

  erase(): void {
    eraseAllButAudit(this.ctx.storage);
  }

  counts(): number[] {
    return ['parents', '"children of"', 'audit'].map(
      (table) =>
        this.ctx.storage.sql.exec<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`).one().rows,
    );
  }
}

test('eraseAllButAudit empties every table but the audit log, whatever refers to what', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-erasure-'));
  const runtime = await createRuntime({ directory, classes: { Filled: { class: Filled, storage: 'sql' } } });
  const filled = runtime.namespace<Filled>('Filled').getByName('zone');
  await filled.fill();
  await filled.erase();
  deepEqual(await filled.counts(), [0, 0, 1]);
  await filled.erase();
  deepEqual(await filled.counts(), [0, 0, 1]);
  await runtime.close();
  await rm(directory, { recursive: true });
});
