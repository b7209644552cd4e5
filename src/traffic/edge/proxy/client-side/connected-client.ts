/**
 * The client of a connection: what all its requests share. Browsers send requests for every name in the certificate on
 * one connection; a request for any other name is a mistake, or an attempt to bypass the TLS rules of a zone.
 */
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Peer } from '../../wire/client-address.ts';
import { readConnectionFacts } from '../../wire/connection/connection-facts.ts';
import type { ProxiedAddresses } from '../../wire/connection/proxy-header.ts';
import type { ConnectionFacts } from '../../wire/exchange.ts';

/** Names beyond this number are compared each time. */
const rememberedNamesMax = 100;

export class ConnectedClient {
  readonly peer: Peer;
  readonly isTls: boolean;
  /** The name in the TLS handshake; undefined without TLS, and if the client sent none. */
  readonly serverName: string | undefined;
  readonly facts: ConnectionFacts;
  readonly #socket: Socket;
  #known: Map<string, boolean> | undefined;

  constructor(socket: Socket, peer: Peer, addresses: ProxiedAddresses | undefined) {
    this.peer = peer;
    this.isTls = socket instanceof TLSSocket;
    this.serverName = socket instanceof TLSSocket ? socket.servername || undefined : undefined;
    this.facts = readConnectionFacts(socket, addresses);
    this.#socket = socket;
  }

  /** Whether the certificate covers this name, or there is no certificate to check. `host` is in lower case. */
  covers(host: string): boolean {
    const { serverName } = this;
    if (serverName === undefined || serverName === host || serverName.toLowerCase() === host) return true;
    this.#known ??= new Map();
    const known = this.#known.get(host);
    if (known !== undefined) return known;
    const isCovered = (this.#socket as TLSSocket).getX509Certificate()?.checkHost(host) !== undefined;
    if (this.#known.size < rememberedNamesMax) this.#known.set(host, isCovered);
    return isCovered;
  }
}
