/** Calls the API by operation names, which are recorded: so a test knows which operations were called. */
import { ok } from 'node:assert/strict';
import { operations } from '#contract';

// oxlint-disable-next-line typescript/no-explicit-any -- whatever the operation answers
export type Made = any;
type OperationId = keyof typeof operations;

export interface ServedSite {
  /** The URL of the API. */
  readonly api: string;
  readonly token: string;
  readonly accountId: string;
}

export type Params = Readonly<Record<string, string>>;

export class Maker {
  readonly site: ServedSite;
  /** The operations that have succeeded. */
  readonly made = new Set<string>();

  constructor(site: ServedSite) {
    this.site = site;
  }

  /** The result; throws unless it succeeds. A body that is neither a form nor bytes is sent as JSON. */
  async do(id: OperationId, params: Params = {}, body?: unknown, query = ''): Promise<Made> {
    const answer = await this.send(id, params, body, query);
    const text = await answer.text();
    ok(answer.ok, `${id}: ${answer.status} ${text}`);
    this.made.add(id);
    if (!(answer.headers.get('content-type') ?? '').includes('json')) return text;
    return (JSON.parse(text) as { readonly result: Made }).result;
  }

  async send(id: OperationId, params: Params, body?: unknown, query = ''): Promise<Response> {
    const { method, path } = operations[id];
    const target = path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? (name === 'account_id' ? this.site.accountId : '')),
    );
    const isRaw = body instanceof FormData || body instanceof Uint8Array || typeof body === 'string';
    return await fetch(`${this.site.api}${target}${query}`, {
      method,
      headers: {
        authorization: `Bearer ${this.site.token}`,
        ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
      },
      body:
        body === undefined ? null : isRaw ? (body as NonNullable<RequestInit['body']>) : JSON.stringify(body),
    });
  }
}
