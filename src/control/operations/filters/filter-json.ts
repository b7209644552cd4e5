/** Filters as clients see them, each key in the place it has at the original. */
import type { Filter } from '../../stores/filter-store.ts';

export function filterJson({ id, isPaused, description, ref, expression }: Filter): object {
  return { id, paused: isPaused, ...described(description, ref), expression };
}

/** Inside of a firewall rule. */
export function filterOfRuleJson({ id, expression, isPaused, description, ref }: Filter): object {
  return { id, expression, paused: isPaused, ...described(description, ref) };
}

/** What is left of a filter that was deleted, where something still refers to it. */
export function deletedFilterJson(id: string): object {
  return { id, deleted: true };
}

function described(description: string | null, ref: string | null): object {
  return { ...(description === null ? {} : { description }), ...(ref === null ? {} : { ref }) };
}
