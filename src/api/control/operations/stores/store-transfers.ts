/**
 * Files of SQL on their way to and from databases: clients of D1 send and read them at addresses that answers name, without
 * credentials. An address is good for an hour, and for one file.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type ApiRequest, type ApiResponse, fault, genericCodes, writeFault } from '#contract';

/** Where they are, below the server; the token follows. */
export const transferPath = '/d1-transfers/';

/** Of a file: it is held in memory, and run as one transaction. */
const transferBytesMax = 32 * 1024 * 1024;

const lifetimeMs = 60 * 60_000;

/** At a time; beyond, the oldest is forgotten. */
const transfersMax = 16;

type Transfer =
  | { readonly kind: 'upload'; bytes: Uint8Array | undefined; readonly endsAtMs: number }
  | { readonly kind: 'download'; readonly write: () => AsyncIterable<string>; readonly endsAtMs: number };

export class StoreTransfers {
  readonly #transfers = new Map<string, Transfer>();

  /** Answers the token of an address where a file can be sent. */
  offerUpload(nowMs: number): string {
    return this.#add({ kind: 'upload', bytes: undefined, endsAtMs: nowMs + lifetimeMs });
  }

  /** Answers the token of an address where a file can be read. */
  offerDownload(write: () => AsyncIterable<string>, nowMs: number): string {
    return this.#add({ kind: 'download', write, endsAtMs: nowMs + lifetimeMs });
  }

  /** What was sent; undefined if nothing was. It is forgotten. */
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
    const [oldest] = this.#transfers.keys();
    if (this.#transfers.size >= transfersMax && oldest !== undefined) this.#transfers.delete(oldest);
    this.#transfers.set(token, transfer);
    return token;
  }
}

function refuse(refusal: Parameters<typeof writeFault>[0]): ApiResponse {
  const { status, body } = writeFault(refusal);
  return { status, headers: { 'content-type': 'application/json' }, body };
}
