/**
 * What a caller may do, compiled for lookups: a token's policies become sets of ids, so that a lookup takes the same
 * time however long the policies are. Deny overrides allow. A grant to write includes reading, and a denial of
 * reading includes writing.
 */
import { type Permission, permissionGroups } from '#contract';
import { isServed, type Policy, listTargets } from './policy.ts';

export interface Grants {
  /** `id` is that of a zone, an account or a user, depending on the permission. */
  allows(permission: Permission, id: string): boolean;
  allowsEverywhere(permission: Permission): boolean;
  allowsSomewhere(permission: Permission): boolean;
}

/** The grants of a user's key, and of the program itself. */
export const allGrants: Grants = {
  allows: () => true,
  allowsEverywhere: () => true,
  allowsSomewhere: () => true,
};

/** The grants of a token that no longer exists. */
export const noGrants: Grants = {
  allows: () => false,
  allowsEverywhere: () => false,
  allowsSomewhere: () => false,
};

export class PolicyGrants implements Grants {
  readonly #allowed = new Map<Permission, Set<string>>();
  readonly #denied = new Map<Permission, Set<string>>();

  constructor(policies: readonly Policy[], accountId: string) {
    for (const policy of policies) {
      const isDenied = policy.effect === 'deny';
      for (const { scope, id } of listTargets(policy, accountId)) {
        for (const permission of policy.permissions.filter(isServed)) {
          if (permissionGroups[permission].scope !== scope) continue;
          add(isDenied ? this.#denied : this.#allowed, permission, id);
          const writing = findWritePermission(permission);
          if (isDenied && writing !== undefined) add(this.#denied, writing, id);
        }
      }
    }
  }

  allows(permission: Permission, id: string): boolean {
    return has(this.#allowed, permission, id) && !has(this.#denied, permission, id);
  }

  allowsEverywhere(permission: Permission): boolean {
    return this.#allowed.get(permission)?.has('*') === true && !this.#denied.has(permission);
  }

  allowsSomewhere(permission: Permission): boolean {
    const allowed = this.#allowed.get(permission);
    const denied = this.#denied.get(permission);
    if (allowed === undefined || denied?.has('*') === true) return false;
    return [...allowed].some((id) => denied?.has(id) !== true);
  }
}

/**
 * Whether the grants include everything that the policies allow: callers can only pass on permissions that they have.
 */
export function covers(grants: Grants, policies: readonly Policy[], accountId: string): boolean {
  return policies
    .filter(({ effect }) => effect === 'allow')
    .every((policy) =>
      listTargets(policy, accountId).every(({ scope, id }) =>
        policy.permissions
          .filter(isServed)
          .filter((permission) => permissionGroups[permission].scope === scope)
          .every((permission) => coversOne(grants, permission, id)),
      ),
    );
}

function coversOne(grants: Grants, permission: Permission, id: string): boolean {
  const writing = findWritePermission(permission);
  return [permission, ...(writing === undefined ? [] : [writing])].some((each) =>
    id === '*' ? grants.allowsEverywhere(each) : grants.allows(each, id),
  );
}

function add(sets: Map<Permission, Set<string>>, permission: Permission, id: string): void {
  let ids = sets.get(permission);
  if (ids === undefined) sets.set(permission, (ids = new Set()));
  ids.add(id);
}

function has(sets: ReadonlyMap<Permission, Set<string>>, permission: Permission, id: string): boolean {
  const ids = sets.get(permission);
  return ids !== undefined && (ids.has('*') || ids.has(id));
}

/** The write permission that corresponds to a read permission. */
function findWritePermission(permission: Permission): Permission | undefined {
  const writing = permission.replace(/Read$/, 'Write');
  return writing !== permission && Object.hasOwn(permissionGroups, writing)
    ? (writing as Permission)
    : undefined;
}
