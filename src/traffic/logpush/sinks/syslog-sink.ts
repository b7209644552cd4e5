/**
 * Sends lines, which are RFC 5424 messages, over TCP or TLS with their lengths in front (RFC 6587, RFC 5425). Syslog
 * has no acknowledgements: so each batch has its own connection, and counts as delivered when the receiver has read to
 * the end and closes its side as well. If the receiver keeps its side open, the batch counts as delivered after a few
 * seconds without an error.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { once } from 'node:events';
import { type ConnectionTarget, openConnection, type OriginRules } from '#outbound';
import { attemptMsMax, syslogCloseMs } from '../limits.ts';
import type { Batch, Sink } from './sink.ts';

export class SyslogSink implements Sink {
  readonly #target: ConnectionTarget;
  readonly #rules: OriginRules;

  constructor(target: ConnectionTarget, rules: OriginRules) {
    this.#target = target;
    this.#rules = rules;
  }

  async send({ lines }: Batch, signal: AbortSignal): Promise<void> {
    const end = AbortSignal.any([signal, AbortSignal.timeout(attemptMsMax)]);
    const socket = await openConnection(this.#target, { rules: this.#rules, signal: end });
    try {
      socket.resume();
      const closed = once(socket, 'close', { signal: end });
      socket.end(frameLines(lines));
      await once(socket, 'finish', { signal: end });
      await Promise.race([closed, delay(syslogCloseMs, undefined, { signal: end })]);
      closed.catch(() => {});
    } finally {
      socket.on('error', () => {}).destroy();
    }
  }

  async close(): Promise<void> {}
}

function frameLines(lines: Buffer): Buffer {
  const frames = lines
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${Buffer.byteLength(line)} ${line}`);
  return Buffer.from(frames.join(''));
}
