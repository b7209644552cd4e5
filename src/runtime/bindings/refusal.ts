/**
 * Errors with which stores refuse what they were given. Programs know them by their texts, which are Cloudflare's; whoever
 * offers a store by another door tells them from failures by this mark, which programs do not see.
 */
const refusals = new WeakSet<Error>();

export function toRefusal<E extends Error>(error: E): E {
  refusals.add(error);
  return error;
}

export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && refusals.has(error);
}
