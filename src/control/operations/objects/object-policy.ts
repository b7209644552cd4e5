/**
 * What may be done to the objects that hold the state of the server while it runs. Only those of zones are put back or
 * written to: what the account holds is also in the directory, so a token that was revoked since would come back, and what
 * the other classes hold is in the memory of the process. Writing needs the operator's setting, too: rows that no
 * handler has checked can leave a zone without protection.
 *
 * An alarm may be run before its time: it does what is due, which may be nothing. It is not cancelled, because the tasks of
 * the object would never be done.
 */
import type { FoundObject, Inspection, InspectionPolicy } from '#inspector';
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
      // First, so that nothing happens that the audit log does not have: the log of a zone goes back with it.
      await noteChange(context, found, note);
      const result = await work();
      const isZone = found.className === 'Zone' && context.directory.zones.has(found.name ?? '');
      if (isZone) await followReplacedZone(context, found.name!);
      return result;
    },
  };
  return { runtime: context.runtime, policy };
}

async function noteChange(
  { account, call }: ObjectsContext,
  found: FoundObject,
  note: Parameters<InspectionPolicy['perform']>[1],
): Promise<void> {
  const { className, name, id } = found;
  const noted = { class: className, object: name ?? id.toString(), ...note };
  await account.answer({ ...call, input: { ...call.input, noted } as typeof call.input });
}
