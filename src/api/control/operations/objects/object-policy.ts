/**
 * What operators may do to the objects that hold the server's state while it runs. Only those of zones can be restored
 * or written to: the account's state is also in the directory, so a revoked token would become valid again, and the
 * state of the other classes is also in the memory of the process. Writing needs the operator's setting as well: rows
 * that no handler has checked can remove a zone's protection.
 *
 * An alarm may be run early: it does the work that is due, which may be none. It cannot be cancelled, because the tasks
 * of the object would never be done.
 */
import type { ChangeNote, FoundObject, Inspection, InspectionPolicy, SecretColumn } from '#operator';
import type { ObjectsContext } from '../several-objects.ts';
import { followReplacedZone } from './follow-zone.ts';

export function createInspection(context: ObjectsContext): Inspection {
  const findZoneName: InspectionPolicy['findZoneName'] = (className, name = '') =>
    className === 'Zone' ? context.directory.zones.get(name)?.name : undefined;
  const policy: InspectionPolicy = {
    findZoneName,
    listSecretColumns: (className) => secretColumns[className] ?? [],
    explainRefusal(change, found) {
      if (change === 'run-alarm') return undefined;
      if (change === 'cancel-alarm')
        return 'the alarm runs tasks of the server, which would otherwise never run';
      if (found.className !== 'Zone') return `${found.className} holds the program's own state`;
      if (findZoneName(found.className, found.name) === undefined) return 'the zone no longer exists';
      if (change === 'write' && !context.allowsObjectWrites)
        return 'the setting object_writes of the server is off';
      return undefined;
    },
    async perform(found, note, work) {
      const isZone = found.className === 'Zone' && context.directory.zones.has(found.name ?? '');
      // First, so that nothing happens without an entry in the audit logs.
      await noteChange(context, found, note);
      if (isZone) await noteInZone(context, found.name!, note);
      const result = await work();
      if (isZone) await followReplacedZone(context, found.name!);
      return result;
    },
  };
  return { runtime: context.runtime, policy };
}

async function noteChange(
  { account, call }: ObjectsContext,
  found: FoundObject,
  note: ChangeNote,
): Promise<void> {
  const { className, name, id } = found;
  const show = (value: object | undefined): object | undefined => value && { class: className, ...value };
  await account.addAuditEntry(
    { actor: call.actor, operation: call.operation },
    { resource: 'object', id: name ?? id.toString(), before: show(note.before), after: show(note.after) },
  );
}

/** In the log of the zone as well: a restore does not undo it. SQL could, so the account stores its hash first. */
async function noteInZone(context: ObjectsContext, zoneId: string, note: ChangeNote): Promise<void> {
  const { getZone, call } = context;
  const { before, after } = note;
  const { actor, operation } = call;
  await getZone(zoneId).addAuditEntry({ actor, operation }, { resource: 'zone', id: zoneId, before, after });
  await context.anchorAudits([zoneId]);
}

/**
 * Columns of the program's own objects whose content never leaves the server in any form: hashes of tokens, keys and
 * sessions, sealed private keys, and the keys that seal them.
 */
const secretColumns: Readonly<Record<string, readonly SecretColumn[]>> = {
  ClusterState: [['secrets', 'value']],
  Account: [
    ['alert_webhooks', 'sealed_secret'],
    ['list_sources', 'sealed_key'],
    ['logpush_jobs', 'sealed_destination'],
    ['tokens', 'hash'],
    ['users', 'key_hash'],
    ['worker_versions', 'sealed_secrets'],
  ],
  Sessions: [['sessions', 'hash']],
  Zone: [
    ['custom_certificates', 'sealed_key'],
    ['managed_certificates', 'sealed_key'],
    ['managed_certificates', 'sealed_order_key'],
  ],
};
