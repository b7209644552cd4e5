/**
 * A certificate authority that implements ACME (RFC 8555) as far as a client can observe: it refuses requests that are
 * not signed, have a nonce that it did not issue, or are signed for another address, and it validates proofs itself.
 */
import { createPublicKey, hash, type KeyObject, randomUUID, verify } from 'node:crypto';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  certify,
  createAuthority,
  issueCertificate,
  type Names,
  writePem,
} from '../../src/foundation/certificates/certificate.ts';
import { findElement, readElements } from '../../src/foundation/certificates/read-der.ts';
import { readTlsProof } from './read-tls-proof.ts';

type JsonWebKey = Readonly<Record<string, unknown>>;

interface TestOrder {
  readonly id: string;
  readonly names: Names;
  readonly thumbprint: string;
  readonly replaces: string | undefined;
  status: 'pending' | 'ready' | 'valid' | 'invalid';
  /** Of each name. */
  readonly proven: Map<string, 'pending' | 'valid' | { readonly error: object }>;
  chain: string | undefined;
}

/** Why it refuses the next requests. */
export interface Faults {
  /** One of this many nonces is refused. */
  nonceRefusedEvery?: number;
  /** The problem that a new order gets. */
  order?: { readonly type: string; readonly detail: string; readonly retryAfter?: string };
  /** The certificate is for another key, or for another name. */
  chain?: 'other key' | 'other name';
  /** It never reports whether a name is proven. */
  isUndecided?: boolean;
  /** Every certificate should have been renewed long ago. */
  wantsRenewal?: boolean;
  /** The only challenge type that it accepts. */
  way?: Way;
  /** Called and awaited before each response, so that a test can kill the client there. */
  onRequest?: (path: string) => void | Promise<void>;
}

export interface TestAuthorityOptions {
  /** Where names are served over HTTP: instead of their own address and port 80. */
  readonly findsAt: () => { readonly host: string; readonly port: number };
  /** Where names are served over TLS; without it, names cannot be proven over TLS. */
  readonly findsTlsAt?: () => { readonly host: string; readonly port: number };
  /** The text records of a name. */
  readonly findsRecords?: (name: string) => readonly string[] | Promise<readonly string[]>;
  readonly now?: () => number;
  readonly days?: number;
}

export class TestAuthority implements AsyncDisposable {
  readonly faults: Faults = {};
  /** PEM: what a client has to trust to talk to it. */
  readonly trusted: string;
  /** Paths, in the order in which they were requested. */
  readonly asked: string[] = [];
  readonly orders: TestOrder[] = [];
  readonly #options: TestAuthorityOptions;
  readonly #server: Server;
  readonly #nonces = new Set<string>();
  readonly #accounts = new Map<string, JsonWebKey>();
  readonly #signing: ReturnType<typeof createAuthority>;
  #issuedAtMs = 0;
  #noncesUsed = 0;

  private constructor(options: TestAuthorityOptions) {
    this.#options = options;
    this.#signing = createAuthority('Test authority', this.#now());
    // Its own certificate is valid in real time, whatever clock the issued certificates use.
    const own = createAuthority('Own authority of the test', Date.now());
    this.trusted = own.certificate.toString();
    const pem = writePem(issueCertificate(own, ['127.0.0.1'], Date.now()));
    this.#server = createServer(
      { key: pem, cert: pem },
      (request, response) => void this.#answer(request, response),
    );
  }

  static async listen(options: TestAuthorityOptions): Promise<TestAuthority> {
    const authority = new TestAuthority(options);
    await new Promise<void>((resolve) => authority.#server.listen(0, '127.0.0.1', resolve));
    return authority;
  }

  get #origin(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get directory(): string {
    return `${this.#origin}/directory`;
  }

  get accountCount(): number {
    return this.#accounts.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!;
    this.asked.push(path);
    await this.faults.onRequest?.(path);
    const nonce = randomUUID();
    this.#nonces.add(nonce);
    response.setHeader('replay-nonce', nonce);
    try {
      const body = request.method === 'POST' ? this.#check(path, await text(request)) : undefined;
      const { status = 200, headers = {}, json, pem } = await this.#respond(path, body);
      response.writeHead(status, headers);
      response.end(pem ?? (json === undefined ? '' : JSON.stringify(json)));
    } catch (error) {
      const { type = 'serverInternal', detail = String(error), retryAfter } = error as Problem;
      response.writeHead(type === 'rateLimited' ? 429 : 400, {
        'content-type': 'application/problem+json',
        ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
      });
      response.end(JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail }));
    }
  }

  /** The payload of the request, if its signature is valid. */
  #check(path: string, body: string): Signed {
    const { protected: head, payload, signature } = JSON.parse(body) as Record<string, string>;
    const header = JSON.parse(Buffer.from(head!, 'base64url').toString()) as Record<string, unknown>;
    const refused = this.faults.nonceRefusedEvery;
    const isKnown = this.#nonces.delete(String(header['nonce']));
    if (!isKnown || (refused !== undefined && ++this.#noncesUsed % refused === 0)) {
      throw problem('badNonce', 'the nonce is not one of ours');
    }
    if (header['url'] !== this.#origin + path) throw problem('unauthorized', 'signed for another address');
    const account = header['kid'] as string | undefined;
    const jwk = (account === undefined ? header['jwk'] : this.#accounts.get(account)) as
      | JsonWebKey
      | undefined;
    if (jwk === undefined) throw problem('accountDoesNotExist', 'no such account');
    const isGood = verify(
      'sha256',
      Buffer.from(`${head}.${payload}`),
      { key: createPublicKey({ key: { ...jwk }, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature!, 'base64url'),
    );
    if (!isGood) throw problem('malformed', 'the signature is wrong');
    const value =
      payload === '' ? undefined : (JSON.parse(Buffer.from(payload!, 'base64url').toString()) as never);
    return { jwk, value };
  }

  async #respond(path: string, signed: Signed | undefined): Promise<Answer> {
    const [, kind, id, name, how] = path.split('/');
    if (kind === 'directory') return { json: this.#describe() };
    if (kind === 'nonce') return {};
    if (kind === 'renewal') return { json: this.#suggestWindow(), headers: { 'retry-after': '21600' } };
    if (signed === undefined) throw problem('malformed', 'only signed requests');
    const { jwk, value } = signed;
    if (kind === 'account') return this.#openAccount(jwk);
    if (kind === 'new-order') return this.#openOrder(jwk, value!);
    const order = this.orders.find((each) => each.id === id);
    if (order === undefined) throw problem('malformed', 'no such order');
    if (kind === 'order') return { json: this.#show(order) };
    if (kind === 'authorization')
      return { json: this.#showAuthorization(order, name!), headers: this.#waitFor() };
    if (kind === 'challenge') return { json: await this.#lookFor(order, name!, how as Way) };
    if (kind === 'finalize') return { json: this.#finalize(order, String(value!['csr'])) };
    return { pem: order.chain! };
  }

  #waitFor(): Record<string, string> {
    return this.faults.isUndecided === true ? { 'retry-after': '0' } : {};
  }

  #describe(): object {
    const origin = this.#origin;
    return {
      newNonce: `${origin}/nonce`,
      newAccount: `${origin}/account`,
      newOrder: `${origin}/new-order`,
      renewalInfo: `${origin}/renewal`,
    };
  }

  #openAccount(jwk: JsonWebKey): Answer {
    const url = `${this.#origin}/accounts/${thumbprintOf(jwk)}`;
    const isNew = !this.#accounts.has(url);
    this.#accounts.set(url, jwk);
    return { status: isNew ? 201 : 200, headers: { location: url }, json: { status: 'valid' } };
  }

  #openOrder(jwk: JsonWebKey, value: Record<string, unknown>): Answer {
    const { order: fault } = this.faults;
    if (fault !== undefined) throw problem(fault.type, fault.detail, fault.retryAfter);
    const identifiers = value['identifiers'] as readonly { readonly value: string }[];
    const names = identifiers.map((each) => each.value) as unknown as Names;
    const order: TestOrder = {
      id: randomUUID(),
      names,
      thumbprint: thumbprintOf(jwk),
      replaces: value['replaces'] as string | undefined,
      status: 'pending',
      proven: new Map(names.map((name) => [name, 'pending'])),
      chain: undefined,
    };
    this.orders.push(order);
    return {
      status: 201,
      headers: { location: `${this.#origin}/order/${order.id}` },
      json: this.#show(order),
    };
  }

  #show({ id, names, status, chain }: TestOrder): object {
    return {
      status,
      identifiers: names.map((value) => ({ type: 'dns', value })),
      authorizations: names.map((name) => `${this.#origin}/authorization/${id}/${name}`),
      finalize: `${this.#origin}/finalize/${id}`,
      ...(chain === undefined ? {} : { certificate: `${this.#origin}/certificate/${id}` }),
    };
  }

  #showAuthorization({ id, proven }: TestOrder, name: string): object {
    const state = proven.get(name)!;
    const status = typeof state === 'string' ? state : 'invalid';
    const url = `${this.#origin}/challenge/${id}/${name}`;
    const failed = typeof state === 'string' ? {} : { error: state.error };
    const ways: Way[] =
      this.#options.findsTlsAt === undefined ? ['dns', 'http'] : ['dns', 'tls-alpn', 'http'];
    const offered = ways.filter((way) => (this.faults.way ?? way) === way);
    return {
      status,
      identifier: { type: 'dns', value: name.replace(/^\*\./, '') },
      ...(name.startsWith('*') ? { wildcard: true } : {}),
      challenges: offered.map((way) => ({
        type: `${way}-01`,
        url: `${url}/${way}`,
        status,
        token: tokenOf(id, name),
        ...failed,
      })),
    };
  }

  async #lookFor(order: TestOrder, name: string, how: Way): Promise<object> {
    const token = tokenOf(order.id, name);
    if (this.faults.isUndecided === true) return { type: `${how}-01`, url: '', status: 'pending', token };
    const proof = `${token}.${order.thumbprint}`;
    const found = await this.#findProofs(name, token, how);
    const isProven = found.includes(how === 'http' ? proof : hash('sha256', proof, 'base64url'));
    const error = {
      type: 'urn:ietf:params:acme:error:unauthorized',
      detail: `${name} answered ${found.join().slice(0, 80)}`,
    };
    order.proven.set(name, isProven ? 'valid' : { error });
    if (!isProven) order.status = 'invalid';
    else if ([...order.proven.values()].every((state) => state === 'valid')) order.status = 'ready';
    return { type: `${how}-01`, url: '', status: 'processing', token };
  }

  async #findProofs(name: string, token: string, how: Way): Promise<readonly string[]> {
    if (how === 'dns') return await this.#findRecords(name);
    if (how === 'http') return [await this.#fetchProof(name, token)];
    return [await readTlsProof(this.#options.findsTlsAt!(), name)];
  }

  async #findRecords(name: string): Promise<readonly string[]> {
    return (await this.#options.findsRecords?.(`_acme-challenge.${name.replace(/^\*\./, '')}`)) ?? [];
  }

  #fetchProof(host: string, token: string): Promise<string> {
    return new Promise((resolve) => {
      const path = `/.well-known/acme-challenge/${token}`;
      const request = get({ ...this.#options.findsAt(), path, headers: { host } }, (response) => {
        void text(response).then(resolve);
      });
      request.on('error', (error) => resolve(error.message));
    });
  }

  #finalize(order: TestOrder, csr: string): object {
    if (order.status !== 'ready') throw problem('orderNotReady', `the order is ${order.status}`);
    const { chain: fault } = this.faults;
    const key =
      fault === 'other key' ? this.#signing.certificate.publicKey : readKey(Buffer.from(csr, 'base64url'));
    const certificate = certify(this.#signing, {
      names: fault === 'other name' ? ['elsewhere.example'] : order.names,
      publicKey: key,
      nowMs: this.#now(),
      days: this.#options.days ?? 90,
    });
    order.chain = `${certificate.toString()}${this.#signing.certificate.toString()}`;
    order.status = 'valid';
    this.#issuedAtMs = this.#now();
    return this.#show(order);
  }

  /** At about two thirds of the lifetime of the last issued certificate. */
  #suggestWindow(): object {
    const lifetimeMs = (this.#options.days ?? 90) * 86_400_000;
    const startMs =
      this.#issuedAtMs + (this.faults.wantsRenewal === true ? -lifetimeMs : (lifetimeMs * 2) / 3);
    const [start, end] = [startMs, startMs + lifetimeMs / 45].map((ms) => new Date(ms).toISOString());
    return { suggestedWindow: { start, end } };
  }
}

/** The first part of the name of a challenge. */
type Way = 'dns' | 'http' | 'tls-alpn';

interface Signed {
  readonly jwk: JsonWebKey;
  readonly value: Record<string, unknown> | undefined;
}

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly json?: object;
  readonly pem?: string;
}

interface Problem {
  readonly type?: string;
  readonly detail?: string;
  readonly retryAfter?: string | undefined;
}

function problem(type: string, detail: string, retryAfter?: string): Error {
  return Object.assign(new Error(detail), { type, detail, retryAfter });
}

function thumbprintOf({ crv, kty, x, y }: JsonWebKey): string {
  return hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url');
}

function tokenOf(order: string, name: string): string {
  return hash('sha256', `${order} ${name}`, 'base64url');
}

/** The public key of a request for a certificate (PKCS #10): the third part of what is signed. */
function readKey(csr: Buffer): KeyObject {
  const signed = findElement(findElement(csr, 0x30)!, 0x30)!;
  const [, , key] = [...readElements(signed)];
  const content = key!.content;
  const head = Buffer.from([0x30, content.length]);
  return createPublicKey({ key: Buffer.concat([head, content]), format: 'der', type: 'spki' });
}
