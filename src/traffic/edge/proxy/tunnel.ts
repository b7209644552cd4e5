/**
 * Connects the streams of both sides directly, after the origin has switched protocols. When one closes, the other is
 * closed.
 */
import type { Duplex } from 'node:stream';
import type { ProxyCore } from './proxy-core.ts';

export interface TunnelEnds {
  readonly client: Duplex;
  readonly origin: Duplex;
  /** Bytes that the client sent before it got the response. */
  readonly early: Buffer | undefined;
  readonly core: ProxyCore;
}

export function tunnel({ client, origin, early, core }: TunnelEnds): void {
  const idleMs = core.timeouts.tunnelIdleMs;
  const destroy = (): void => {
    client.destroy();
    origin.destroy();
  };
  const watch = core.watchdog.watch(destroy);
  watch.within(idleMs);
  let hasEnded = false;
  const bytes = { received: 0, sent: 0 };
  const end = (): void => {
    watch.end();
    destroy();
    if (!hasEnded) core.observer.onTunnelEnd?.(bytes);
    hasEnded = true;
  };
  const pump = (from: Duplex, to: Duplex, direction: keyof typeof bytes): void => {
    from.on('data', (piece: Buffer) => {
      watch.within(idleMs);
      bytes[direction] += piece.length;
      if (!to.write(piece)) from.pause();
    });
    to.on('drain', () => from.resume());
    // The last bytes of one side still reach the other.
    from.on('end', () => to.end());
    from.on('close', () => (to.writableFinished || to.destroyed ? end() : to.end(end)));
    from.resume();
  };
  if (early !== undefined) origin.write(early);
  pump(client, origin, 'received');
  pump(origin, client, 'sent');
}
