/** Checks that a caller may run an operation on the resources in its path. */
import { authCodes, fault, genericCodes, type Operation, type Permission, permissionGroups } from '#contract';
import type { Directory } from '../context/directory.ts';
import type { Caller as Authenticated } from './authenticate.ts';

type Caller = Pick<Authenticated, 'actor' | 'grants'>;

type Path = Readonly<Record<string, string>>;

/**
 * A resource that does not exist is reported before a missing permission: ids are long and random, so this reveals nothing.
 */
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
 * A zone permission applies to the zone in the path. If the path has none, reading requires the permission in any zone,
 * because only those zones are shown; writing requires it in every zone.
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
