/** As much of `ws` as the tests use; the package has no types of its own. */
declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  import type { IncomingMessage, Server } from 'node:http';

  export class WebSocket extends EventEmitter {
    static readonly OPEN: number;
    readonly readyState: number;
    constructor(url: string);
    send(data: string | Buffer, options?: { readonly binary?: boolean }): void;
    close(code?: number, reason?: string): void;
    terminate(): void;
  }

  export class WebSocketServer extends EventEmitter {
    readonly clients: ReadonlySet<WebSocket>;
    constructor(options: { readonly server: Server });
    on(event: 'connection', listener: (socket: WebSocket, request: IncomingMessage) => void): this;
  }
}
