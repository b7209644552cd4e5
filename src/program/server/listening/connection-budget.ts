/**
 * Limits the connections of an HTTP listener. Beyond the maximum, and where descriptors run short, a new connection
 * replaces the one that has waited longest for its client: first among clients that have not shown that they are known,
 * then among all. A connection with a request in progress keeps its place; if all have one, the new connection is
 * closed.
 */
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { type Clients, DescriptorBudget } from '#listeners';

export interface ConnectionBudgetOptions {
  readonly connectionsMax: number;
  readonly clients: Clients;
  /** Whether the answer shows that the client is known. */
  readonly isKnown?: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
}

interface CountedConnection {
  readonly socket: Socket;
  /** The newest request; undefined until one has arrived. */
  exchange: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse } | undefined;
  isKnown: boolean;
  /** Whether the connection was upgraded to another protocol. */
  isUpgraded: boolean;
}

export function limitConnections(server: HttpServer | HttpsServer, options: ConnectionBudgetOptions): void {
  const budget = new ConnectionBudget(options);
  server.on('connection', (socket: Socket) => budget.admit(socket));
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, budget.note);
  server.prependListener('upgrade', budget.noteUpgrade);
}

class ConnectionBudget {
  readonly #options: ConnectionBudgetOptions;
  readonly #descriptors: DescriptorBudget;
  /** By the address of the client: requests over TLS do not expose the socket below them. */
  readonly #connections = new Map<string, CountedConnection>();
  /** In the order of their newest requests. */
  readonly #strangers = new Set<CountedConnection>();
  readonly #known = new Set<CountedConnection>();

  constructor(options: ConnectionBudgetOptions) {
    this.#options = options;
    this.#descriptors = new DescriptorBudget(options.clients);
  }

  admit(socket: Socket): void {
    const open = this.#connections.size;
    const hasRoom = open < this.#options.connectionsMax && this.#descriptors.allows(socket, open);
    if (!hasRoom && !this.#closeIdlest()) return void socket.destroy();
    const connection = { socket, exchange: undefined, isKnown: false, isUpgraded: false };
    const name = nameOf(socket);
    this.#connections.set(name, connection);
    this.#strangers.add(connection);
    socket.once('close', () => this.#forget(name, connection));
  }

  readonly note = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const connection = this.#connections.get(nameOf(incoming.socket));
    if (connection === undefined) return;
    connection.exchange = { incoming, outgoing };
    this.#enqueue(connection);
    outgoing.once('finish', () => {
      if (connection.isKnown || this.#options.isKnown?.(incoming, outgoing) !== true) return;
      this.#strangers.delete(connection);
      connection.isKnown = true;
      if (!connection.socket.destroyed) this.#enqueue(connection);
    });
  };

  readonly noteUpgrade = (incoming: IncomingMessage): void => {
    const connection = this.#connections.get(nameOf(incoming.socket));
    if (connection !== undefined) connection.isUpgraded = true;
  };

  #enqueue(connection: CountedConnection): void {
    const order = connection.isKnown ? this.#known : this.#strangers;
    order.delete(connection);
    order.add(connection);
  }

  #closeIdlest(): boolean {
    for (const order of [this.#strangers, this.#known])
      for (const connection of order) {
        if (!waitsForClient(connection)) continue;
        this.#forget(nameOf(connection.socket), connection);
        connection.socket.destroy();
        return true;
      }
    return false;
  }

  #forget(name: string, connection: CountedConnection): void {
    if (this.#connections.get(name) === connection) this.#connections.delete(name);
    this.#strangers.delete(connection);
    this.#known.delete(connection);
  }
}

function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Whether it waits for the next request, for the rest of one, or until the client reads its answer. */
function waitsForClient({ exchange, isUpgraded }: CountedConnection): boolean {
  if (isUpgraded) return false;
  if (exchange === undefined) return true;
  const { incoming, outgoing } = exchange;
  if (outgoing.writableEnded || outgoing.writableNeedDrain || outgoing.closed) return true;
  return !outgoing.headersSent && !incoming.complete;
}
