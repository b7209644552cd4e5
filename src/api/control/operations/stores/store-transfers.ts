/**
 * SQL files on their way to and from databases: clients of D1 upload and download them without credentials, at the URLs
 * that answers contain. A URL is valid for an hour, and for one file.
 */
import { createHash, randomBytes } from 'node:crypto';
import { RecentMap } from '#base';
import { type ApiRequest, type ApiResponse, fault, genericCodes, writeFault } from '#contract';

/** Their path on the server; the token follows. */
export const transferPath = '/d1-transfers/';

/** The size of a file: it is held in memory, and run as one transaction. */
const transferBytesMax = 32 * 1024 * 1024;

const lifetimeMs = 60 * 60_000;

/** Concurrent transfers; beyond that, the oldest is dropped. */
const transfersMax = 16;

type Transfer =
  | { readonly kind: 'upload'; bytes: Uint8Array | undefined; readonly endsAtMs: number }
  | { readonly kind: 'download'; readonly write: () => AsyncIterable<string>; readonly endsAtMs: number };

export class StoreTransfers {
  readonly #transfers = new RecentMap<string, Transfer>({ sizeMax: transfersMax });

  /** Returns the token of a URL to which a file can be uploaded. */
  offerUpload(nowMs: number): string {
    return this.#add({ kind: 'upload', bytes: undefined, endsAtMs: nowMs + lifetimeMs });
  }

  /** Returns the token of a URL from which a file can be downloaded. */
  offerDownload(write: () => AsyncIterable<string>, nowMs: number): string {
    return this.#add({ kind: 'download', write, endsAtMs: nowMs + lifetimeMs });
  }

  /** The uploaded file, which is dropped afterwards; undefined if there is none. */
  takeUpload(token: string): Uint8Array | undefined {
    const transfer = this.#transfers.get(token);
    if (transfer?.kind !== 'upload') return undefined;
    this.#transfers.delete(token);
    return transfer.bytes;
  }

  isFor(request: ApiRequest): boolean {
    return request.target.startsWith(transferPath);
  }

  async answer(request: ApiRequest, nowMs: number): Promise<ApiResponse> {
    const token = request.target.slice(transferPath.length).split('?', 1)[0]!;
    const transfer = this.#transfers.get(token);
    if (transfer === undefined || transfer.endsAtMs < nowMs)
      return refuse(fault(genericCodes.couldNotRoute, { fill: { path: transferPath } }));
    if (transfer.kind === 'upload' && request.method === 'PUT') {
      const bytes = await request.readBody(transferBytesMax);
      if (bytes === 'too-large')
        return refuse(fault(genericCodes.bodyTooLarge, { fill: { bytes: transferBytesMax } }));
      transfer.bytes = bytes;
      return {
        status: 200,
        headers: { etag: `"${createHash('md5').update(bytes).digest('hex')}"` },
        body: '',
      };
    }
    if (transfer.kind === 'download' && request.method === 'GET') {
      this.#transfers.delete(token);
      return { status: 200, headers: { 'content-type': 'application/sql' }, body: transfer.write() };
    }
    return refuse(fault(genericCodes.methodNotAllowed));
  }

  #add(transfer: Transfer): string {
    const token = randomBytes(32).toString('hex');
    this.#transfers.set(token, transfer);
    return token;
  }
}

function refuse(refusal: Parameters<typeof writeFault>[0]): ApiResponse {
  const { status, body } = writeFault(refusal);
  return { status, headers: { 'content-type': 'application/json' }, body };
}
