/**
 * The names in the certificate of a connection. Browsers send requests for all of them on one connection; a request for
 * any other name is a mistake, or an attempt to bypass the TLS rules of a zone.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Names beyond this number are compared each time. */
const rememberedNamesMax = 100;

export class CertificateNames {
  readonly #socket: Socket;
  #known: Map<string, boolean> | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** True for every name if the client sent no server name, or without TLS. `host` is in lower case. */
  has(host: string): boolean {
    const socket = this.#socket;
    if (!(socket instanceof TLSSocket) || !socket.servername) return true;
    if (socket.servername === host || socket.servername.toLowerCase() === host) return true;
    this.#known ??= new Map();
    const known = this.#known.get(host);
    if (known !== undefined) return known;
    const isCovered = socket.getX509Certificate()?.checkHost(host) !== undefined;
    if (this.#known.size < rememberedNamesMax) this.#known.set(host, isCovered);
    return isCovered;
  }
}
