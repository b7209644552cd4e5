/** A request of `node:http` as the API sees it. Its body is read once, up to a limit, and only on demand. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApiRequest, fault, genericCodes } from '#contract';
import { unwantedBodyBytesMax } from '../limits.ts';

export class IncomingRequest implements ApiRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: ApiRequest['headers'];
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  /** Whether the client waits for `100 Continue` before it sends the body. */
  readonly #isHeldBack: boolean;
  #wasAsked = false;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, isHeldBack: boolean) {
    this.method = incoming.method!;
    this.target = toOriginForm(incoming.url!);
    this.headers = incoming.headers;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#isHeldBack = isHeldBack;
  }

  get address(): string {
    const address = this.#incoming.socket.remoteAddress ?? '';
    // An IPv4 client on an IPv6 socket.
    return address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;
  }

  get isEncrypted(): boolean {
    return 'encrypted' in this.#incoming.socket;
  }

  /** Whether the rest of the body is not worth reading: the connection cannot serve another request. */
  get isBeyondUse(): boolean {
    if (this.#incoming.complete) return false;
    if (this.#isHeldBack && !this.#wasAsked) return true;
    return !(Number(this.headers['content-length']) <= unwantedBodyBytesMax);
  }

  async readBody(bytesMax: number): Promise<Uint8Array | 'too-large'> {
    if (Number(this.headers['content-length']) > bytesMax) return 'too-large';
    if (this.#isHeldBack) this.#outgoing.writeContinue();
    this.#wasAsked = true;
    return collect(this.#incoming, bytesMax);
  }
}

function collect(incoming: IncomingMessage, bytesMax: number): Promise<Uint8Array | 'too-large'> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | 'too-large'>();
  let chunks: Buffer[] = [];
  let bytes = 0;
  const onChunk = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= bytesMax) return void chunks.push(chunk);
    incoming.off('data', onChunk);
    incoming.pause();
    chunks = [];
    resolve('too-large');
  };
  incoming.on('data', onChunk);
  incoming.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
  // This is not the handler's error: for the handler, the request cannot be read.
  incoming.once('error', () => reject(fault(genericCodes.bodyIncomplete)));
  incoming.once('close', () => incoming.complete || reject(fault(genericCodes.bodyIncomplete)));
  return promise;
}

/** Proxies receive the whole URL. The server name in it is ignored, like the Host header. */
function toOriginForm(target: string): string {
  if (target.startsWith('/')) return target;
  const match = /^https?:\/\/[^/?#]*(.*)$/is.exec(target);
  return match === null ? target : match[1]!.startsWith('/') ? match[1]! : `/${match[1]!}`;
}
