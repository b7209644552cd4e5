/** Filters as clients see them, with the keys in Cloudflare's order. */
import type { DeletedFilter, Result } from '#contract';
import type { Filter } from '../../stores/filters.ts';

export function toFilterJson({ id, isPaused, description, ref, expression }: Filter): Result<'filters.get'> {
  return { id, paused: isPaused, ...pickDescription(description, ref), expression };
}

/** A filter inside a firewall rule. */
export function toRuleFilterJson({
  id,
  expression,
  isPaused,
  description,
  ref,
}: Filter): Result<'filters.get'> {
  return { id, expression, paused: isPaused, ...pickDescription(description, ref) };
}

/** A deleted filter, where something still refers to it. */
export function toDeletedFilterJson(id: string): DeletedFilter {
  return { id, deleted: true };
}

function pickDescription(
  description: string | null,
  ref: string | null,
): { readonly description?: string; readonly ref?: string } {
  return { ...(description === null ? {} : { description }), ...(ref === null ? {} : { ref }) };
}
