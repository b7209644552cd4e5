/** The origin of a zone as the API has it, and as people write it: a URL, or `worker:NAME`. */
export type Origin = ServerOrigin | { readonly worker: string };

export interface ServerOrigin {
  readonly url: string;
  readonly connect_to?: string;
  readonly verify_tls?: boolean;
}

const workerPrefix = 'worker:';

/** Of the text that `writeOrigin` writes. */
export const originPattern = String.raw`https?://.+|worker:[a-z0-9\-]+`;

export function writeOrigin(origin: Origin): string {
  return 'worker' in origin ? `${workerPrefix}${origin.worker}` : origin.url;
}

/** `more` counts for a URL only. */
export function toOrigin(text: string, more: Omit<ServerOrigin, 'url'>): Origin {
  return text.startsWith(workerPrefix) ? { worker: text.slice(workerPrefix.length) } : { ...more, url: text };
}
