/** Whether a caller may do an operation on what its path names. */
import { authCodes, fault, genericCodes, type Operation, type Permission, permissionGroups } from '#api';
import type { Directory } from '../context/directory.ts';
import type { Caller } from './authenticate.ts';

type Path = Readonly<Record<string, string>>;

/** What does not exist is said before what is forbidden: ids are long and random, and tell nothing. */
export function checkPermitted(operation: Operation, path: Path, caller: Caller, directory: Directory): void {
  const { zone_id: zone, account_id: account } = path;
  if (zone !== undefined && !directory.zones.has(zone)) throw fault(genericCodes.zoneNotFound);
  if (account !== undefined && account !== directory.accountId) throw fault(genericCodes.accountNotFound);
  const { permissions } = operation;
  if (permissions.length === 0) return;
  const isPermitted = permissions.some((permission) =>
    isGranted(permission, { operation, path, caller, directory }),
  );
  if (!isPermitted) throw fault(authCodes.notPermitted);
}

interface Question {
  readonly operation: Operation;
  readonly path: Path;
  readonly caller: Caller;
  readonly directory: Directory;
}

/**
 * A permission of zones counts in the zone of the path. Where the operation has none, reading takes it in any zone, because
 * only those are shown; writing takes it in every zone.
 */
function isGranted(permission: Permission, { operation, path, caller, directory }: Question): boolean {
  const { grants, actor } = caller;
  switch (permissionGroups[permission].scope) {
    case 'user':
      return actor.userId !== '' && grants.allows(permission, actor.userId);
    case 'account':
      return grants.allows(permission, directory.accountId);
    case 'zone': {
      const zone = path['zone_id'];
      if (zone !== undefined) return grants.allows(permission, zone);
      if (operation.scope !== 'none') return false;
      return operation.isWrite ? grants.allowsEverywhere(permission) : grants.allowsSomewhere(permission);
    }
  }
}
