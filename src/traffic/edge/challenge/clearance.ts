/**
 * Signed data that the client keeps: the puzzle, the clearance for solving it, and the id that distinguishes it from
 * other clients with the same address. All are bound to the zone, the client's address and its user agent, and expire;
 * the server does not store them.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { findCookies } from '#text';
import type { ConfiguredZone } from '#firewall';
import { type IncomingRequest, readField } from '../wire/exchange.ts';
import { clearanceMs, cookiesMax, puzzleMs, visitorMs } from './limits.ts';

export interface Solver {
  readonly zoneId: string;
  readonly address: string;
  readonly userAgent: string;
}

type Purpose = 'clearance' | 'puzzle' | 'visitor';

const defaultValidMs: Readonly<Record<Purpose, number>> = {
  clearance: clearanceMs,
  puzzle: puzzleMs,
  visitor: visitorMs,
};

export class Signer {
  readonly #secret: Uint8Array;

  /** `secret`: at least 32 random bytes, the same in every process that serves the zone. */
  constructor(secret: Uint8Array) {
    if (secret.length < 32)
      throw new RangeError(`a secret for clearances has at least 32 bytes: ${secret.length}`);
    this.#secret = secret;
  }

  /** `content` must not contain dots. */
  sign(purpose: Purpose, client: Solver, content: string, nowMs: number): string {
    const signed = `${nowMs.toString(36)}.${content}`;
    return `${signed}.${this.#computeSignature(purpose, client, signed)}`;
  }

  /** Returns the content if it was signed for this client and has not expired. */
  read(
    purpose: Purpose,
    client: Solver,
    text: string,
    nowMs: number,
    validMs = defaultValidMs[purpose],
  ): string | undefined {
    const end = text.lastIndexOf('.');
    const signed = text.slice(0, Math.max(end, 0));
    const given = Buffer.from(text.slice(end + 1));
    const expected = Buffer.from(this.#computeSignature(purpose, client, signed));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const [time, content] = signed.split('.', 2);
    const ageMs = nowMs - Number.parseInt(time!, 36);
    return ageMs >= 0 && ageMs < validMs ? content : undefined;
  }

  #computeSignature(purpose: Purpose, { zoneId, address, userAgent }: Solver, signed: string): string {
    return createHmac('sha256', this.#secret)
      .update(`${purpose}\n${zoneId}\n${address}\n${hash('sha256', userAgent)}\n${signed}`)
      .digest('base64url');
  }
}

export function toClient({ clientAddress, headers }: IncomingRequest, { id }: ConfiguredZone): Solver {
  const userAgent = readField(headers, 'user-agent');
  return { zoneId: id, address: clientAddress, userAgent };
}

/** There may be several: another site in the same domain can set a cookie of the same name, and it may come first. */
export function createCookieReader(cookieName: string): (request: IncomingRequest) => readonly string[] {
  return ({ headers }) => {
    const found: string[] = [];
    for (const [name, value] of headers) {
      // Compares the length first: this runs for every field of every request.
      if (name.length !== 6 || name.toLowerCase() !== 'cookie') continue;
      found.push(...findCookies(value, cookieName));
    }
    return found.slice(0, cookiesMax);
  };
}
