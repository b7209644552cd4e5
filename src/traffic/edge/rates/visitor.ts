/**
 * Distinguishes visitors behind one address, for rules that count by `cf.unique_visitor_id`: a visitor that passes
 * without an id gets one in a cookie. The id is signed for the address, so clients cannot make up ids to restart at
 * zero; a stopped visitor gets none, so a visitor has at most as many ids as requests of its address may pass.
 */
import { randomBytes } from 'node:crypto';
import type { ConfiguredZone } from '#firewall';
import { createCookieReader, type Signer, toClient } from '../challenge/clearance.ts';
import type { IncomingRequest } from '../wire/exchange.ts';

const cookieName = '_cfuvid';
const readIds = createCookieReader(cookieName);

/** The visitor of a request. Until a rule reads the id, no cookie is read or created. */
export class Visitor {
  readonly #signer: Signer;
  readonly #request: IncomingRequest;
  readonly #zone: ConfiguredZone;
  #isAsked = false;
  #id: string | undefined;

  constructor(signer: Signer, request: IncomingRequest, zone: ConfiguredZone) {
    this.#signer = signer;
    this.#request = request;
    this.#zone = zone;
  }

  findId(): string | undefined {
    if (!this.#isAsked) this.#id = this.#readId();
    this.#isAsked = true;
    return this.#id;
  }

  /** The `Set-Cookie` with the id of a visitor that has none; undefined if no rule has read the id. */
  get cookie(): string | undefined {
    if (!this.#isAsked || this.#id !== undefined) return undefined;
    const { receivedAtMs, isSecure } = this.#request;
    const client = toClient(this.#request, this.#zone);
    const signed = this.#signer.sign('visitor', client, randomBytes(12).toString('hex'), receivedAtMs);
    return `${cookieName}=${signed}; Path=/; HttpOnly; ${isSecure ? 'SameSite=None; Secure' : 'SameSite=Lax'}`;
  }

  #readId(): string | undefined {
    const cookies = readIds(this.#request);
    if (cookies.length === 0) return undefined;
    const client = toClient(this.#request, this.#zone);
    for (const cookie of cookies) {
      const id = this.#signer.read('visitor', client, cookie, this.#request.receivedAtMs);
      if (id !== undefined) return id;
    }
    return undefined;
  }
}
