/** Refusals of load balancing: invalid values of a field, and uses of a pool or a monitor that prevent its deletion. */
import { fault, loadBalancingCodes as codes, type Result } from '#contract';

type Reference = Result<'pools.references'>[number];

export function toReference(
  kind: 'pool' | 'load_balancer',
  { id, name }: { readonly id: string; readonly name: string },
): Reference {
  return { reference_type: 'referrer', resource_id: id, resource_name: name, resource_type: kind };
}

export function requireUnused(what: string, users: readonly Reference[]): void {
  if (users.length === 0) return;
  const named = users.map(({ resource_type, resource_name }) => `${resource_type} ${resource_name}`);
  throw fault(codes.balancingInUse, { fill: { what, users: named.join(', ') } });
}

export function refuse(pointer: string, reason: string): never {
  throw fault(codes.balancingInvalid, { pointer, fill: { reason } });
}
