/**
 * Errors with which stores refuse invalid input. Programs recognise them by their texts, which are Cloudflare's; other
 * interfaces to a store distinguish them from failures by this mark, which programs cannot see.
 */
const refusals = new WeakSet<Error>();

export function toRefusal<E extends Error>(error: E): E {
  refusals.add(error);
  return error;
}

export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && refusals.has(error);
}
