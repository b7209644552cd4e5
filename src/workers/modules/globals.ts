/** The globals of the platform that Node does not have, or has in another form. */
import { WebSocket, WebSocketPair, WebSocketRequestResponsePair } from '#sockets';

const globals: Readonly<Record<string, unknown>> = {
  WebSocket,
  WebSocketPair,
  WebSocketRequestResponsePair,
};

export function installGlobals(): void {
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }
}
