import { deepEqual, equal, rejects } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createRuntime, DurableObject, type DurableObjectState, type Runtime } from '#objects';
import { type AuditCheck, AuditTrail, auditTables, chainOrigin } from './audit-trail.ts';
import { system } from '../../context/caller.ts';

/** An object with an audit trail, and direct access to its database. */
class Trailed extends DurableObject {
  readonly #trail: AuditTrail;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    for (const table of auditTables) table.create(ctx.storage.sql);
    this.#trail = new AuditTrail(ctx.storage.sql);
  }

  append(count: number): void {
    for (let id = 1; id <= count; id++) {
      const change = { resource: 'thing', id: String(id), before: undefined, after: { id } };
      this.#trail.append(change, { actor: system, operation: 'things.create', atMs: id });
    }
  }

  read(sequence: number): Record<string, string | number | null> {
    return this.ctx.storage.sql
      .exec<Record<string, string | number | null>>('SELECT * FROM audit WHERE sequence = ?', sequence)
      .one();
  }

  exec(statement: string): void {
    this.ctx.storage.sql.exec(statement);
  }

  check(): AuditCheck {
    return this.#trail.check(chainOrigin);
  }
}

let runtime: Runtime;
let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-audit-'));
  runtime = await createRuntime({ directory, classes: { Trailed: { class: Trailed, storage: 'sql' } } });
});
after(async () => {
  await runtime.close();
  await rm(directory, { recursive: true, force: true });
});

async function trailOf(name: string) {
  const trail = runtime.namespace<Trailed>('Trailed').getByName(name);
  await trail.append(5);
  return trail;
}

test('AuditTrail.append hashes the hash before it and the entry as JSON', async () => {
  const trail = await trailOf('hashed');
  const { hash: previous } = await trail.read(4);
  const { hash, at_ms, resource_id, actor, ...rest } = await trail.read(5);
  const entry = {
    sequence: rest['sequence'],
    atMs: at_ms,
    operation: rest['operation'],
    actor: JSON.parse(String(actor)) as unknown,
    resource: rest['resource'],
    resourceId: resource_id,
    before: rest['before'],
    after: rest['after'],
  };
  equal(
    hash,
    createHash('sha256')
      .update(`${previous}${JSON.stringify(entry)}`)
      .digest('hex'),
  );
});

test('AuditTrail refuses to change or delete its entries', async () => {
  const trail = await trailOf('refusing');
  await rejects(async () => trail.exec("UPDATE audit SET after = '{}'"), /the audit log only grows/);
  await rejects(async () => trail.exec('DELETE FROM audit WHERE sequence = 5'), /the audit log only grows/);
  const { last, brokenSequence } = await trail.check();
  deepEqual([last.sequence, brokenSequence], [5, undefined]);
});

test('AuditTrail.check finds the first entry that was changed, removed or inserted', async () => {
  const tamperings = {
    changed: `UPDATE audit SET after = '{"id":0}' WHERE sequence = 3`,
    actor: `UPDATE audit SET actor = json_set(actor, '$.email', 'other@example.com') WHERE sequence = 3`,
    'taken out': 'DELETE FROM audit WHERE sequence = 3',
    swapped: 'UPDATE audit SET at_ms = 9, resource_id = 9 WHERE sequence = 3',
    'put in': 'UPDATE audit SET sequence = sequence + 1 WHERE sequence >= 3',
  };
  for (const [name, statement] of Object.entries(tamperings)) {
    const trail = await trailOf(name);
    await trail.exec('DROP TRIGGER audit_is_not_changed');
    await trail.exec('DROP TRIGGER audit_is_not_deleted');
    if (name === 'put in') {
      await trail.exec('UPDATE audit SET sequence = sequence + 100 WHERE sequence >= 3');
      await trail.exec('UPDATE audit SET sequence = sequence - 99 WHERE sequence >= 100');
      await trail.exec(
        'INSERT INTO audit SELECT 3, at_ms, operation, actor, resource, resource_id, before, after, hash FROM audit WHERE sequence = 2',
      );
    } else await trail.exec(statement);
    const { brokenSequence, isDone } = await trail.check();
    equal(brokenSequence, 3, name);
    equal(isDone, true);
  }
});
