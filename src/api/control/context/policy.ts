/**
 * Policies define what a token may do: permission groups, on resources. Resources have the names that Cloudflare gives
 * them, `com.cloudflare.api.account.zone.<id>` and so on; the value of an account may also list zones within it.
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
  type Result,
} from '#contract';

type Scope = keyof typeof scopeNames;

type Resources = Readonly<Record<string, '*' | Readonly<Record<string, '*'>>>>;

/**
 * A permission group of a product that is not served, by its id. It grants nothing, not even if a later version serves
 * the product, because the creator of the token did not need to have the group.
 */
type UnservedGroup = `unserved:${string}`;

export type PolicyGroup = Permission | UnservedGroup;

export interface Policy {
  readonly id: string;
  readonly effect: 'allow' | 'deny';
  readonly permissions: readonly PolicyGroup[];
  /** The resources as the client sent them. */
  readonly resources: Resources;
}

/** One resource that a policy covers, or with `*` every resource of that scope. */
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

function findGroupDetails(group: PolicyGroup): PermissionGroup {
  return isServed(group)
    ? permissionGroups[group]
    : unservedPermissionGroups.get(group.slice('unserved:'.length))!;
}

/** Names of the permission groups that have no effect here. */
export function listUnservedNames(policies: readonly Policy[]): string[] {
  const groups = policies.flatMap(({ permissions }) => permissions.filter((group) => !isServed(group)));
  return [...new Set(groups)].map((group) => findGroupDetails(group).name);
}

function findGroupWithId(id: string): PolicyGroup | undefined {
  return permissionsById.get(id) ?? (unservedPermissionGroups.has(id) ? `unserved:${id}` : undefined);
}

export function readPolicies(
  given: readonly GivenPolicy[],
  { accountId, newId }: { readonly accountId: string; readonly newId: () => string },
): Policy[] {
  return given.map(({ effect, permission_groups, resources }, index) => {
    const pointer = `/policies/${index}`;
    const permissions = permission_groups.map(({ id }, at) => {
      const group = findGroupWithId(id);
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

/** Every permission needs a resource of its scope: a policy without effect is a mistake. */
function checkResources(policy: Policy, accountId: string, pointer: string): void {
  const scopes = new Set(listTargets(policy, accountId, pointer).map(({ scope }) => scope));
  for (const permission of policy.permissions) {
    const { name, scope } = findGroupDetails(permission);
    if (scopes.has(scope)) continue;
    throw fault(tokenCodes.resourceMissing, {
      pointer: `${pointer}/resources`,
      fill: { group: name, scope: scopeNames[scope] },
    });
  }
}

/** The resources that a policy names, within the account. */
export function listTargets({ resources }: Policy, accountId: string, pointer = ''): Target[] {
  return Object.entries(resources).flatMap(([name, extent]) => {
    const target = parseTarget(name, pointer);
    if (extent === '*') return [target];
    if (target.scope !== 'account') {
      throw createFault(pointer, `only an account has resources within it: ${JSON.stringify(name)}`);
    }
    const within = Object.keys(extent).map((inner) => parseTarget(inner, pointer));
    if (within.some(({ scope }) => scope !== 'zone')) {
      throw createFault(pointer, `only zones are within an account: ${JSON.stringify(name)}`);
    }
    // Zones of other accounts do not exist here.
    return target.id === '*' || target.id === accountId ? within : [];
  });
}

/** Buckets belong to a product that is not served; only its permission groups apply to them. */
const resourceName =
  /^com\.cloudflare\.(?:(api\.account\.zone|api\.account|api\.user)\.(\*|[0-9a-f]{32})|(edge\.r2\.bucket)\.(\*|[\w.-]{1,128}))$/;
const scopeOfName = {
  'api.account.zone': 'zone',
  'api.account': 'account',
  'api.user': 'user',
  'edge.r2.bucket': 'bucket',
} as const;

function parseTarget(name: string, pointer: string): Target {
  const [kind, id] =
    resourceName
      .exec(name)
      ?.slice(1)
      .filter((part) => part !== undefined) ?? [];
  if (kind === undefined || id === undefined) {
    const shown = name.length > 100 ? `${name.slice(0, 97)}…` : name;
    throw createFault(pointer, `there are no resources called ${JSON.stringify(shown)}`);
  }
  return { scope: scopeOfName[kind as keyof typeof scopeOfName], id };
}

function createFault(pointer: string, reason: string): Error {
  return fault(tokenCodes.resourceInvalid, { pointer: `${pointer}/resources`, fill: { reason } });
}

export function toPolicyJson({
  id,
  effect,
  permissions,
  resources,
}: Policy): Result<'tokens.get'>['policies'][number] {
  return {
    id,
    effect,
    resources,
    permission_groups: permissions.map((group) => ({
      id: findGroupDetails(group).id,
      name: findGroupDetails(group).name,
    })),
  };
}
