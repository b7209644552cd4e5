/**
 * Gets the certificate of a zone, and renews it. The zone's object is the lock, the clock and the store for this work:
 *
 * - One order at a time, because there is only one object. An interrupted order is continued, even after kill -9.
 * - Whatever fails, the current certificate stays in force. The delay before the next attempt grows each time, to at
 *   most a day, and respects the authority's limits; each attempt uses the next authority of the list.
 * - After a failure the staging authority is tried first, if there is one: a name that does not point here must not use
 *   up the limits of the real one.
 * - Validation over HTTP needs nothing from this object: edges answer every token with the thumbprint of the account.
 *   If it fails, the name is validated in a TLS handshake, with a digest that edges get with the configuration. If the
 *   operator has configured updates of TXT records, names are validated by those.
 */
import { backOffMs } from '#base';
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
import type { ManagedCertificate } from '../stores/certificates/managed-certificates.ts';
import { attemptPauseMs, attemptPauseMsMax, lifetimeShareMin } from './limits.ts';

/** The task that the zone's alarm runs to renew the certificate. */
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
  /** Stores the state of an attempt. It is durable before the work continues. */
  readonly keep: (certificate: ManagedCertificate) => Promise<void>;
  /** Gives edges the digest that validates a name by TLS, or removes it. */
  readonly keepProof: (host: string, digest: string | undefined) => Promise<void>;
  readonly signal?: AbortSignal;
}

/** Returns the new state of the certificate, with the time of the next check. Never throws an authority's error. */
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

/** Undefined if there is no authority. */
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
  // By this clock it would need renewal at once, and so would its successor.
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

/** Authorities backdate certificates by about an hour: if one is not valid now, the clocks differ. */
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
 * The first attempt tries every challenge, so that one closed port does not make it fail. Each later attempt uses the
 * next challenge, because authorities limit how often validations may fail.
 */
async function order(work: CertificateWork, placed: PlacedOrder): Promise<string> {
  const { acme, certificate } = work;
  if (acme.dns !== undefined) return await orderBy(work, placed, { 'dns-01': presentByDns(acme.dns) });
  const { failures } = certificate;
  const turn = Math.floor(failures / Math.max(acme.directories.length, 1));
  const ways = failures === 0 ? acme.challenges : [acme.challenges[turn % acme.challenges.length]!];
  // For HTTP, edges already have the thumbprint.
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
  // Prevents an endless loop if an authority wants a certificate renewed as soon as it is issued.
  const renewAtMs = Math.max(plannedMs, issuedAtMs! + (expiresAtMs! - issuedAtMs!) * lifetimeShareMin);
  return {
    ...certificate,
    renewAtMs: Math.round(renewAtMs),
    dueAtMs: Math.round(Math.max(nowMs + attemptPauseMs, Math.min(renewAtMs, lookAtMs))),
  };
}

function noteFailure(certificate: ManagedCertificate, error: AcmeError, nowMs: number): ManagedCertificate {
  const { failures } = certificate;
  const pauseMs = backOffMs(failures + 1, { msMin: attemptPauseMs, msMax: attemptPauseMsMax });
  return {
    ...certificate,
    // An order that cannot be finished is placed again.
    orderUrl: null,
    sealedOrderKey: null,
    failures: failures + 1,
    problem: error.message,
    dueAtMs: nowMs + Math.max(pauseMs, Math.min(error.retryAfterMs ?? 0, attemptPauseMsMax)),
  };
}
