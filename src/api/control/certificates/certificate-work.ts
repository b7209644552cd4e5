/**
 * Gets the certificate of a zone, and renews it. The zone's object is the lock, the clock and the store of that:
 *
 * - One order at a time, because the object is one. An order that was interrupted, by kill -9 too, is continued.
 * - Whatever fails, the certificate that is there stays in force. The next attempt comes later each time, at most a day
 *   later, and not before the authority allows it; it asks the next authority of the list.
 * - After a failure an authority for trying is asked first, if there is one: a name that does not point here must not use
 *   up the limits of the real one.
 * - The proof of a name over HTTP needs nothing from this object: edges answer every token with the thumbprint of the
 *   account. If that fails, the name is proven in a TLS handshake, with a digest that edges get with the configuration.
 *   Where the operator has set up the change of text records, names are proven by those.
 */
import { X509Certificate } from 'node:crypto';
import {
  AccountKey,
  AcmeAuthority,
  AcmeError,
  createCertificateKey,
  nameForRenewal,
  orderCertificate,
  type OrderOptions,
  planRenewal,
  presentByDns,
  presentByTls,
} from '#certificates';
import type { AcmeSettings } from '../context/acme-settings.ts';
import type { KeySealer } from '../context/key-sealer.ts';
import type { ManagedCertificate } from '../stores/managed-certificate-store.ts';
import { attemptPauseMs, attemptPauseMsMax, lifetimeShareMin } from './limits.ts';

/** The task by which the alarm of the zone comes back to it. */
export const renewalTask = 'certificates.renew';

const accountPurpose = 'ACME account';

export function createAccountKey(keySealer: KeySealer): AccountKey {
  return new AccountKey(keySealer.derive(accountPurpose));
}

export interface CertificateWork {
  readonly certificate: ManagedCertificate;
  readonly acme: AcmeSettings;
  readonly keySealer: KeySealer;
  readonly nowMs: number;
  /** Keeps what an attempt has to remember. Durable before the work goes on. */
  readonly keep: (certificate: ManagedCertificate) => Promise<void>;
  /** Gives edges the digest that proves a name by TLS, or takes it away. */
  readonly keepProof: (host: string, digest: string | undefined) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** What the certificate is afterwards, with the time of the next look. Never throws what an authority has to say. */
export async function workOnCertificate(work: CertificateWork): Promise<ManagedCertificate> {
  const { certificate, nowMs } = work;
  try {
    const isDue = certificate.chain === null || (certificate.renewAtMs ?? 0) <= nowMs;
    const current = isDue ? await renew(work) : lookAtClock(certificate, nowMs);
    return await planNext(work, current);
  } catch (error) {
    if (!(error instanceof AcmeError)) throw error;
    return noteFailure({ ...certificate, directory: chooseDirectory(work) ?? null }, error, nowMs);
  }
}

/** Undefined if there is none. */
function chooseDirectory({ acme: { directories }, certificate }: CertificateWork): string | undefined {
  return directories[certificate.failures % directories.length];
}

async function renew(work: CertificateWork): Promise<ManagedCertificate> {
  const { acme, certificate, keySealer } = work;
  const { failures, id } = certificate;
  const directory = chooseDirectory(work);
  if (directory === undefined) {
    throw new AcmeError('unsupported', 'no authority is configured: set acme_directories');
  }
  if (failures > 0 && acme.staging !== undefined) await order(work, { directory: acme.staging });
  const isSame = certificate.orderUrl !== null && certificate.directory === directory;
  const privateKey = isSame ? keySealer.open(certificate.sealedOrderKey!, id) : createCertificateKey();
  const ordered = { ...certificate, directory, sealedOrderKey: keySealer.seal(privateKey, id) };
  const chain = await order(work, {
    directory,
    privateKey,
    orderUrl: isSame ? certificate.orderUrl : undefined,
    replaces: certificate.chain === null ? undefined : nameForRenewal(new X509Certificate(certificate.chain)),
    onOrder: (orderUrl) => work.keep({ ...ordered, orderUrl }),
  });
  const issued = new X509Certificate(chain);
  const clockProblem = findClockProblem(issued, work.nowMs);
  // By this clock it would have to be renewed at once, and so would the next one.
  if (issued.validToDate.getTime() <= work.nowMs) throw new AcmeError('clock', clockProblem!);
  return {
    ...ordered,
    chain,
    sealedKey: ordered.sealedOrderKey,
    issuedAtMs: work.nowMs,
    expiresAtMs: issued.validToDate.getTime(),
    orderUrl: null,
    sealedOrderKey: null,
    failures: 0,
    problem: clockProblem ?? null,
  };
}

/** The clock may have been set since the certificate was issued. */
function lookAtClock(certificate: ManagedCertificate, nowMs: number): ManagedCertificate {
  const issued = new X509Certificate(certificate.chain!);
  return { ...certificate, problem: findClockProblem(issued, nowMs) ?? null };
}

/** Authorities date a certificate back by an hour or so: one that is not valid now was issued by another clock. */
function findClockProblem(
  { validFromDate, validToDate }: X509Certificate,
  nowMs: number,
): string | undefined {
  if (validFromDate.getTime() <= nowMs && nowMs < validToDate.getTime()) return undefined;
  const [from, to, now] = [validFromDate, validToDate, new Date(nowMs)].map((date) => date.toISOString());
  return `the certificate is valid from ${from} to ${to}, but the clock of this server says ${now}: set the clock`;
}

interface PlacedOrder {
  readonly directory: string;
  readonly privateKey?: string;
  readonly orderUrl?: string | undefined;
  readonly replaces?: string | undefined;
  readonly onOrder?: (orderUrl: string) => Promise<void>;
}

/**
 * The first attempt tries every way to prove the names, so that one closed port is no failure. Each later one takes the
 * next way, because authorities limit how often proofs may fail.
 */
async function order(work: CertificateWork, placed: PlacedOrder): Promise<string> {
  const { acme, certificate } = work;
  if (acme.dns !== undefined) return await orderBy(work, placed, { 'dns-01': presentByDns(acme.dns) });
  const { failures } = certificate;
  const turn = Math.floor(failures / Math.max(acme.directories.length, 1));
  const ways = failures === 0 ? acme.challenges : [acme.challenges[turn % acme.challenges.length]!];
  // Over HTTP, edges have the thumbprint already.
  const presenters = { 'http-01': async () => {}, 'tls-alpn-01': presentByTls(work.keepProof) };
  const refused: string[] = [];
  for (const [index, way] of ways.entries()) {
    try {
      const left = ways.slice(index).map((each) => [each, presenters[each]] as const);
      return await orderBy(work, placed, Object.fromEntries(left));
    } catch (error) {
      if (!(error instanceof AcmeError) || !error.isAboutProof) throw error;
      refused.push(`by ${way}: ${error.message}`);
    }
  }
  throw new AcmeError('unauthorized', refused.join('; '));
}

function orderBy(
  { acme, certificate, keySealer, signal }: CertificateWork,
  { directory, privateKey = createCertificateKey(), ...placed }: PlacedOrder,
  present: OrderOptions['present'],
): Promise<string> {
  return orderCertificate({
    ...placed,
    authority: createAuthority(acme, { directory, keySealer, email: certificate.email }),
    names: certificate.hosts,
    privateKey,
    profile: acme.profile,
    present,
    signal,
  });
}

function createAuthority(
  { trusted, externalAccount }: AcmeSettings,
  account: { readonly directory: string; readonly keySealer: KeySealer; readonly email: string | null },
): AcmeAuthority {
  const { directory, keySealer, email } = account;
  const key = createAccountKey(keySealer);
  return new AcmeAuthority({ directory, key, email: email ?? undefined, externalAccount, trusted });
}

async function planNext(
  { acme, keySealer, nowMs }: CertificateWork,
  certificate: ManagedCertificate,
): Promise<ManagedCertificate> {
  const { chain, directory, email, id } = certificate;
  const authority = createAuthority(acme, { directory: directory!, keySealer, email });
  const share = Number.parseInt(id.slice(-4), 16) / 0xffff;
  const { renewAtMs: plannedMs, lookAtMs } = await planRenewal({ authority, chain: chain!, nowMs, share });
  const { issuedAtMs, expiresAtMs } = certificate;
  // An authority that wants one renewed as soon as it has issued it would be asked without an end.
  const renewAtMs = Math.max(plannedMs, issuedAtMs! + (expiresAtMs! - issuedAtMs!) * lifetimeShareMin);
  return {
    ...certificate,
    renewAtMs: Math.round(renewAtMs),
    dueAtMs: Math.round(Math.max(nowMs + attemptPauseMs, Math.min(renewAtMs, lookAtMs))),
  };
}

function noteFailure(certificate: ManagedCertificate, error: AcmeError, nowMs: number): ManagedCertificate {
  const { failures } = certificate;
  const pauseMs = Math.min(attemptPauseMs * 2 ** failures, attemptPauseMsMax);
  return {
    ...certificate,
    // What cannot be finished is ordered again.
    orderUrl: null,
    sealedOrderKey: null,
    failures: failures + 1,
    problem: error.message,
    dueAtMs: nowMs + Math.max(pauseMs, Math.min(error.retryAfterMs ?? 0, attemptPauseMsMax)),
  };
}
