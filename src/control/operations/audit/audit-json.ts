/** Entries of the audit log as answers show them. */
import type { AuditAction, AuditEntry, ShownEntry } from '../../stores/audit-trail.ts';
import { toMicroseconds } from '../../context/timestamps.ts';

/** Whose changes a trail has. */
export type Trail =
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: 'zone'; readonly id: string; readonly name: string };

export function auditJson(entry: ShownEntry, trail: Trail, accountId: string): object {
  const { actor, before, after, isShortened } = entry;
  const parsed = (value: string | null): unknown =>
    value === null || isShortened ? null : JSON.parse(value);
  const isOurs = actor.kind === 'system';
  return {
    id: entry.hash.slice(0, 32),
    action: { result: true, type: actionOf(entry) },
    actor: {
      id: actor.userId,
      email: actor.email,
      ip: actor.address,
      type: isOurs ? 'system' : 'user',
    },
    interface: isOurs ? 'system' : 'API',
    metadata: {
      operation: entry.operation,
      sequence: entry.sequence,
      hash: entry.hash,
      ...(actor.tokenId === undefined ? {} : { token_id: actor.tokenId }),
      ...(trail.kind === 'zone' ? { zone_id: trail.id, zone_name: trail.name } : {}),
      ...(isShortened ? { is_shortened: true } : {}),
    },
    newValue: after ?? '',
    newValueJson: parsed(after),
    oldValue: before ?? '',
    oldValueJson: parsed(before),
    owner: { id: accountId },
    resource: { id: entry.resourceId, type: entry.resource },
    when: toMicroseconds(entry.atMs),
  };
}

function actionOf({ before, after }: AuditEntry): AuditAction {
  if (before === null) return 'add';
  return after === null ? 'delete' : 'change';
}
