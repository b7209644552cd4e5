/** The origin of a zone as the API returns it, and in the notation for users: a URL, or `worker:NAME`. */
import type { Result } from '#client';

export type Origin = NonNullable<Result<'edge.get'>['origin']>;

const workerPrefix = 'worker:';

/** The pattern of `writeOrigin`'s text. */
export const originPattern = String.raw`https?://.+|worker:[a-z0-9\-]+`;

export function writeOrigin({ url, worker }: Origin): string {
  return url ?? `${workerPrefix}${worker}`;
}

/** `more` only applies to a URL. */
export function toOrigin(text: string, more: Omit<Origin, 'url' | 'worker'>): Origin {
  return text.startsWith(workerPrefix) ? { worker: text.slice(workerPrefix.length) } : { ...more, url: text };
}
