/** The origin of a zone as the API has it, and as people write it: a URL, or `worker:NAME`. */
import type { Result } from '#client';

export type Origin = NonNullable<Result<'edge.get'>['origin']>;

const workerPrefix = 'worker:';

/** Of the text that `writeOrigin` writes. */
export const originPattern = String.raw`https?://.+|worker:[a-z0-9\-]+`;

export function writeOrigin({ url, worker }: Origin): string {
  return url ?? `${workerPrefix}${worker}`;
}

/** `more` counts for a URL only. */
export function toOrigin(text: string, more: Omit<Origin, 'url' | 'worker'>): Origin {
  return text.startsWith(workerPrefix) ? { worker: text.slice(workerPrefix.length) } : { ...more, url: text };
}
