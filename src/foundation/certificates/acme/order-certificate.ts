/**
 * Orders a certificate: names are proven, the request is signed, the certificate is downloaded and checked. An
 * interrupted order continues where it stopped, if its address was stored: the authority knows its state.
 */
import * as der from '../der.ts';
import { BackOff, isObject } from '#base';
import { createPrivateKey, type KeyObject, X509Certificate, createPublicKey, sign } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { json, listOf, optional, record, type Shaped, string } from '#shapes';
import { AcmeError } from './acme-error.ts';
import { type AcmeAuthority, type AuthorityAnswer, describeProblem } from './authority.ts';
import { lookMs, lookMsMax, orderMsMax } from './limits.ts';
import { ecdsaWithSha256, encodeAlternativeNames, encodeExtension } from '../certificate.ts';

const orderShape = record({
  status: string,
  authorizations: listOf(string),
  finalize: string,
  certificate: optional(string),
  error: optional(json),
});
type Order = Shaped<typeof orderShape>;

const challengeShape = record({
  type: string,
  url: string,
  status: string,
  token: optional(string),
  error: optional(json),
});
const authorizationShape = record({
  status: string,
  identifier: record({ type: string, value: string }),
  challenges: listOf(challengeShape),
});
type Challenge = Shaped<typeof challengeShape>;

/** The challenges by which servers can prove the names that they serve. */
export const edgeChallenges = ['http-01', 'tls-alpn-01'] as const;
export type EdgeChallenge = (typeof edgeChallenges)[number];
type ChallengeType = EdgeChallenge | 'dns-01';

interface Proof {
  readonly type: ChallengeType;
  readonly name: string;
  readonly token: string;
  /** The value that the authority must find. */
  readonly authorization: string;
}

/** Resolves when the authority can find the proof, to a function that removes it. */
export type Presenter = (proof: Proof) => Promise<Withdraw | void>;
type Withdraw = () => Promise<void>;

export interface OrderOptions {
  readonly authority: AcmeAuthority;
  readonly names: readonly string[];
  /** PEM. */
  readonly privateKey: string;
  /** The interrupted order. */
  readonly orderUrl?: string | undefined;
  readonly profile?: string | undefined;
  /** The certificate that this one replaces, identified as in RFC 9773. */
  readonly replaces?: string | undefined;
  /** Called once the authority has accepted the order, so that it can be continued; awaited. */
  readonly onOrder?: ((orderUrl: string) => Promise<void>) | undefined;
  /** How names can be proven, in order of preference. */
  readonly present: Partial<Record<ChallengeType, Presenter>>;
  readonly signal?: AbortSignal | undefined;
}

/** Returns PEM, the certificate of the server first. */
export async function orderCertificate(options: OrderOptions): Promise<string> {
  const { authority, names, signal } = options;
  const key = createPrivateKey(options.privateKey);
  const { url, order: first } = await openOrder(options);
  for (const authorization of first.authorizations) await proveName(options, authorization);
  const looks = new Looks(signal);
  let { value: order, retryAfterMs } = await authority.post(url, '', orderShape);
  for (;;) {
    if (order.status === 'valid' && order.certificate !== undefined) break;
    if (order.status === 'ready') {
      const csr = createCertificateRequest(names, key).toString('base64url');
      ({ value: order, retryAfterMs } = await authority.post(order.finalize, { csr }, orderShape));
      if (order.status === 'valid') continue;
    } else if (order.status === 'invalid') throw toError(order.error, 'the order was refused');
    await looks.wait(retryAfterMs);
    ({ value: order, retryAfterMs } = await authority.post(url, '', orderShape));
  }
  return checkChain(await authority.download(order.certificate), names, key);
}

async function openOrder(options: OrderOptions): Promise<{ url: string; order: Order }> {
  const { authority, orderUrl } = options;
  if (orderUrl !== undefined) {
    const known = await findOrder(authority, orderUrl);
    if (known !== undefined) return { url: orderUrl, order: known };
  }
  const { value: order, location } = await placeOrder(options);
  if (location === undefined)
    throw new AcmeError('invalidAnswer', 'the authority did not return the location of the order');
  await options.onOrder?.(location);
  return { url: location, order };
}

/** Undefined if the order has expired or failed. */
async function findOrder(authority: AcmeAuthority, url: string): Promise<Order | undefined> {
  try {
    const { value } = await authority.post(url, '', orderShape);
    return value.status === 'invalid' ? undefined : value;
  } catch (error) {
    if (error instanceof AcmeError && error.problem !== 'unreachable') return undefined;
    throw error;
  }
}

async function placeOrder({
  authority,
  names,
  profile,
  replaces,
}: OrderOptions): Promise<AuthorityAnswer<Order>> {
  const { newOrder } = await authority.readDirectory();
  const order = {
    identifiers: names.map((value) => ({ type: 'dns', value })),
    ...(profile === undefined ? {} : { profile }),
  };
  if (replaces === undefined) return await authority.post(newOrder, order, orderShape);
  try {
    return await authority.post(newOrder, { ...order, replaces }, orderShape);
  } catch (error) {
    // A previous certificate that the authority refuses to replace must not prevent the renewal.
    if (!(error instanceof AcmeError) || !['alreadyReplaced', 'malformed'].includes(error.problem))
      throw error;
    return await authority.post(newOrder, order, orderShape);
  }
}

async function proveName({ authority, present, signal }: OrderOptions, url: string): Promise<void> {
  const looks = new Looks(signal);
  let { value: authorization, retryAfterMs } = await authority.post(url, '', authorizationShape);
  const { value: name } = authorization.identifier;
  const challenge = chooseChallenge(authorization.challenges, present);
  let withdraw: Withdraw | void = undefined;
  if (authorization.status === 'pending') {
    if (challenge === undefined) {
      const offered = authorization.challenges.map(({ type }) => type).join(', ');
      throw new AcmeError(
        'unsupported',
        `${name} can only be validated by ${offered || 'nothing'}, which is not set up`,
        { isAboutProof: true },
      );
    }
    const { type, token } = challenge;
    withdraw = await present[type]!({ type, name, token, authorization: authority.key.authorize(token) });
  }
  try {
    if (authorization.status === 'pending' && challenge?.status === 'pending') {
      await authority.post(challenge.url, {}, json);
    }
    while (authorization.status === 'pending' || authorization.status === 'processing') {
      await looks.wait(retryAfterMs);
      ({ value: authorization, retryAfterMs } = await authority.post(url, '', authorizationShape));
    }
  } finally {
    // A proof that remains proves nothing else.
    await withdraw?.().catch(() => {});
  }
  if (authorization.status === 'valid') return;
  const failed = authorization.challenges.find(({ error }) => error !== undefined);
  const { problem, message } = toError(
    failed?.error,
    `${name} could not be validated (${authorization.status})`,
    name,
  );
  throw new AcmeError(problem, message, { isAboutProof: true });
}

type Usable = Challenge & { readonly type: ChallengeType; readonly token: string };

function chooseChallenge(
  challenges: readonly Challenge[],
  present: OrderOptions['present'],
): Usable | undefined {
  for (const way of Object.keys(present)) {
    const found = challenges.find(
      (challenge): challenge is Usable =>
        challenge.type === way && challenge.token !== undefined && tokenPattern.test(challenge.token),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** RFC 8555, section 8.1. The token becomes part of a path. */
const tokenPattern = /^[A-Za-z0-9_-]{1,128}$/;

/** The pauses between status checks, and their time limit. */
class Looks {
  readonly #signal: AbortSignal | undefined;
  #leftMs = orderMsMax;
  readonly #backOff = new BackOff({ msMin: lookMs, msMax: lookMsMax });

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  async wait(retryAfterMs: number | undefined): Promise<void> {
    if (this.#leftMs <= 0)
      throw new AcmeError('slow', `the authority did not decide within ${orderMsMax / 1_000} s`);
    const ms = Math.min(retryAfterMs ?? this.#backOff.next(), lookMsMax);
    this.#leftMs -= Math.max(ms, lookMs);
    await delay(ms, undefined, { signal: this.#signal });
  }
}

function toError(problem: unknown, fallback: string, name?: string): AcmeError {
  if (!isObject(problem)) return new AcmeError('refused', fallback);
  const words = describeProblem(problem);
  const type = typeof problem['type'] === 'string' ? problem['type'].split(':').at(-1)! : 'refused';
  return new AcmeError(type, name === undefined || words.includes(name) ? words : `${name}: ${words}`);
}

/** A chain for another key or another name would make every connection fail. */
function checkChain(chain: string, names: readonly string[], key: KeyObject): string {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(chain);
  } catch (error) {
    throw new AcmeError('invalidAnswer', `the certificate cannot be parsed: ${(error as Error).message}`);
  }
  if (!certificate.checkPrivateKey(key))
    throw new AcmeError('invalidAnswer', 'the certificate is for another key');
  const missing = names.find((name) => certificate.checkHost(name.replace(/^\*/, 'x')) === undefined);
  if (missing !== undefined) throw new AcmeError('invalidAnswer', `the certificate is not for ${missing}`);
  return chain;
}

/** A request for a certificate (PKCS #10, RFC 2986), signed by the key that the certificate will be for. */
const extensionRequest = '1.2.840.113549.1.9.14';

/** DER. The names are only in the extension, where every authority looks; the subject is empty. */
function createCertificateRequest(names: readonly string[], privateKey: KeyObject): Buffer {
  const extensions = der.sequence(encodeExtension('2.5.29.17', encodeAlternativeNames(names)));
  const content = der.sequence(
    der.integer(Uint8Array.of(0)),
    der.sequence(),
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    der.tagged(0, der.sequence(der.objectIdentifier(extensionRequest), der.set(extensions))),
  );
  const signature = sign('sha256', content, { key: privateKey, dsaEncoding: 'der' });
  return der.sequence(content, ecdsaWithSha256, der.bitString(signature));
}
