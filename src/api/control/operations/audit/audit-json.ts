/** Entries of the audit log as responses show them. */
import type { Result } from '#contract';
import type { AuditAction, AuditEntry, ShownEntry } from '../../stores/audit/audit-trail.ts';
import { toMicroseconds } from '../../context/timestamps.ts';

/** The object whose changes a trail contains. */
export type Trail =
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: 'zone'; readonly id: string; readonly name: string };

export function toAuditJson(
  entry: ShownEntry,
  trail: Trail,
  accountId: string,
): Result<'audit.list'>[number] {
  const { actor, before, after, isShortened } = entry;
  const parse = (value: string | null): unknown => (value === null || isShortened ? null : JSON.parse(value));
  const isOurs = actor.kind === 'system';
  return {
    id: entry.hash.slice(0, 32),
    action: { result: true, type: determineAction(entry) },
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
      ...(actor.reason === undefined ? {} : { reason: actor.reason }),
      ...(actor.tokenId === undefined ? {} : { token_id: actor.tokenId }),
      ...(trail.kind === 'zone' ? { zone_id: trail.id, zone_name: trail.name } : {}),
      ...(isShortened ? { is_shortened: true } : {}),
    },
    newValue: after ?? '',
    newValueJson: parse(after),
    oldValue: before ?? '',
    oldValueJson: parse(before),
    owner: { id: accountId },
    resource: { id: entry.resourceId, type: entry.resource },
    when: toMicroseconds(entry.atMs),
  };
}

function determineAction({ before, after }: AuditEntry): AuditAction {
  if (before === null) return 'add';
  return after === null ? 'delete' : 'change';
}
