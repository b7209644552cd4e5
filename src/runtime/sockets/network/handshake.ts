/** The parts of the opening handshake that both sides need. */
import { createHash } from 'node:crypto';

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** A server's answer to the key of a client. */
export function acceptValue(key: string): string {
  return createHash('sha1').update(key).update(guid).digest('base64');
}

/** Whether a request asks for an upgrade to a WebSocket. */
export function isUpgrade(headers: Headers): boolean {
  return headers.get('upgrade')?.toLowerCase() === 'websocket';
}
