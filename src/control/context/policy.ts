/**
 * Policies say what a token may do: permission groups, on resources. Resources are named in the original's way,
 * `com.cloudflare.api.account.zone.<id>` and so on; a name may also be an account with zones within it.
 */
import {
  fault,
  type GivenPolicy,
  type Permission,
  type PermissionGroup,
  permissionGroups,
  scopeNames,
  tokenCodes,
  unservedPermissionGroups,
} from '#api';

type Scope = keyof typeof scopeNames;

type Resources = Readonly<Record<string, '*' | Readonly<Record<string, '*'>>>>;

/**
 * A group of a product that is not served, by its id. It allows nothing, and goes on to allow nothing if a later version
 * serves the product: whoever made the token did not have to hold the group.
 */
type UnservedGroup = `unserved:${string}`;

export type PolicyGroup = Permission | UnservedGroup;

export interface Policy {
  readonly id: string;
  readonly effect: 'allow' | 'deny';
  readonly permissions: readonly PolicyGroup[];
  /** As they were given. */
  readonly resources: Resources;
}

/** One thing a policy is about, or with `*` everything of its kind. */
export interface Target {
  readonly scope: Scope;
  readonly id: string;
}

const permissionsById = new Map(
  (Object.keys(permissionGroups) as Permission[]).map((permission) => [
    permissionGroups[permission].id as string,
    permission,
  ]),
);

export function isServed(group: PolicyGroup): group is Permission {
  return !group.startsWith('unserved:');
}

function detailsOf(group: PolicyGroup): PermissionGroup {
  return isServed(group)
    ? permissionGroups[group]
    : unservedPermissionGroups.get(group.slice('unserved:'.length))!;
}

/** Names of the groups that allow nothing here. */
export function unservedNamesOf(policies: readonly Policy[]): string[] {
  const groups = policies.flatMap(({ permissions }) => permissions.filter((group) => !isServed(group)));
  return [...new Set(groups)].map((group) => detailsOf(group).name);
}

function groupWithId(id: string): PolicyGroup | undefined {
  return permissionsById.get(id) ?? (unservedPermissionGroups.has(id) ? `unserved:${id}` : undefined);
}

export function policiesFrom(
  given: readonly GivenPolicy[],
  { accountId, newId }: { readonly accountId: string; readonly newId: () => string },
): Policy[] {
  return given.map(({ effect, permission_groups, resources }, index) => {
    const pointer = `/policies/${index}`;
    const permissions = permission_groups.map(({ id }, at) => {
      const group = groupWithId(id);
      if (group !== undefined) return group;
      throw fault(tokenCodes.permissionGroupUnknown, {
        pointer: `${pointer}/permission_groups/${at}/id`,
        fill: { id: JSON.stringify(id) },
      });
    });
    const policy: Policy = { id: newId(), effect, permissions, resources };
    checkResources(policy, accountId, pointer);
    return policy;
  });
}

/** Every permission needs something to work on: a policy that means nothing is a mistake. */
function checkResources(policy: Policy, accountId: string, pointer: string): void {
  const scopes = new Set(targetsOf(policy, accountId, pointer).map(({ scope }) => scope));
  for (const permission of policy.permissions) {
    const { name, scope } = detailsOf(permission);
    if (scopes.has(scope)) continue;
    throw fault(tokenCodes.resourceMissing, {
      pointer: `${pointer}/resources`,
      fill: { group: name, scope: scopeNames[scope] },
    });
  }
}

/** What the resources of a policy name, in the account there is. */
export function targetsOf({ resources }: Policy, accountId: string, pointer = ''): Target[] {
  return Object.entries(resources).flatMap(([name, extent]) => {
    const target = targetNamed(name, pointer);
    if (extent === '*') return [target];
    if (target.scope !== 'account') {
      throw invalid(pointer, `only an account has resources within it: ${JSON.stringify(name)}`);
    }
    const within = Object.keys(extent).map((inner) => targetNamed(inner, pointer));
    if (within.some(({ scope }) => scope !== 'zone')) {
      throw invalid(pointer, `only zones are within an account: ${JSON.stringify(name)}`);
    }
    // Zones of somebody else's account are no zones of ours.
    return target.id === '*' || target.id === accountId ? within : [];
  });
}

/** Buckets are of a product that is not served; only its groups work on them. */
const resourceName =
  /^com\.cloudflare\.(?:(api\.account\.zone|api\.account|api\.user)\.(\*|[0-9a-f]{32})|(edge\.r2\.bucket)\.(\*|[\w.-]{1,128}))$/;
const scopeOfName = {
  'api.account.zone': 'zone',
  'api.account': 'account',
  'api.user': 'user',
  'edge.r2.bucket': 'bucket',
} as const;

function targetNamed(name: string, pointer: string): Target {
  const [kind, id] =
    resourceName
      .exec(name)
      ?.slice(1)
      .filter((part) => part !== undefined) ?? [];
  if (kind === undefined || id === undefined) {
    const shown = name.length > 100 ? `${name.slice(0, 97)}…` : name;
    throw invalid(pointer, `there are no resources called ${JSON.stringify(shown)}`);
  }
  return { scope: scopeOfName[kind as keyof typeof scopeOfName], id };
}

function invalid(pointer: string, reason: string): Error {
  return fault(tokenCodes.resourceInvalid, { pointer: `${pointer}/resources`, fill: { reason } });
}

export function policyJson({ id, effect, permissions, resources }: Policy): object {
  return {
    id,
    effect,
    resources,
    permission_groups: permissions.map((group) => ({ id: detailsOf(group).id, name: detailsOf(group).name })),
  };
}
