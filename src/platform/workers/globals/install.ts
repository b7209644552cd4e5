/** The platform's globals that Node lacks, or has in another form. */
import { WebSocket, WebSocketPair, WebSocketRequestResponsePair } from '#sockets';
import { Cache, CacheStorage, caches } from './cache/cache.ts';
import { extendCrypto } from './crypto.ts';
import { EventSource } from './event-source.ts';
import { extendWebClasses } from './extend-web.ts';
import { FixedLengthStream } from './fixed-length-stream.ts';
import { HTMLRewriter } from './html-rewriter/html-rewriter.ts';
import { IdentityTransformStream } from './identity-transform-stream.ts';
import { Navigator, navigator } from './navigator.ts';
import { reportError } from './report-error.ts';
import { scheduler } from './scheduler.ts';

const globals: Readonly<Record<string, unknown>> = {
  Cache,
  CacheStorage,
  EventSource,
  FixedLengthStream,
  HTMLRewriter,
  IdentityTransformStream,
  Navigator,
  WebSocket,
  WebSocketPair,
  WebSocketRequestResponsePair,
  caches,
  navigator,
  reportError,
  scheduler,
};

export function installGlobals(): void {
  extendCrypto();
  extendWebClasses();
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }
}
