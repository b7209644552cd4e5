/**
 * What may be done to the objects that hold the state of the server while it runs. Only those of zones are put back or
 * written to: what the account holds is also in the directory, so a token that was revoked since would come back, and what
 * the other classes hold is in the memory of the process. Writing needs the operator's setting, too: rows that no
 * handler has checked can leave a zone without protection.
 *
 * An alarm may be run before its time: it does what is due, which may be nothing. It is not cancelled, because the tasks of
 * the object would never be done.
 */
import type { ChangeNote, FoundObject, Inspection, InspectionPolicy } from '#operator';
import type { ObjectsContext } from '../several-objects.ts';
import { followReplacedZone } from './follow-zone.ts';
import { secretColumns } from './secret-columns.ts';

export function createInspection(context: ObjectsContext): Inspection {
  const findZoneName: InspectionPolicy['findZoneName'] = (className, name = '') =>
    className === 'Zone' ? context.directory.zones.get(name)?.name : undefined;
  const policy: InspectionPolicy = {
    findZoneName,
    listSecretColumns: (className) => secretColumns[className] ?? [],
    explainRefusal(change, found) {
      if (change === 'run-alarm') return undefined;
      if (change === 'cancel-alarm') return 'the alarm runs tasks of the server, which would never be done';
      if (found.className !== 'Zone') return `${found.className} holds the program's own state`;
      if (findZoneName(found.className, found.name) === undefined) return 'the zone does not exist any more';
      if (change === 'write' && !context.allowsObjectWrites)
        return 'the server does not allow it: its setting object_writes is off';
      return undefined;
    },
    async perform(found, note, work) {
      const isZone = found.className === 'Zone' && context.directory.zones.has(found.name ?? '');
      // First, so that nothing happens that the audit logs do not have.
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
  const noted = { class: className, object: name ?? id.toString(), ...note };
  await account.answer({ ...call, input: { ...call.input, noted } as typeof call.input });
}

/** In the log of the zone as well: a restore does not take it back. SQL could, and so the account has its hash first. */
async function noteInZone(context: ObjectsContext, zoneId: string, note: ChangeNote): Promise<void> {
  const { getZone, call } = context;
  const { before, after } = note;
  const { actor, operation } = call;
  await getZone(zoneId).addAuditEntry({ actor, operation }, { resource: 'zone', id: zoneId, before, after });
  await context.anchorAudits([zoneId]);
}
