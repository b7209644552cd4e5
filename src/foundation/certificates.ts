/**
 * Keys and certificates: those of the local authority, those of ACME authorities, and those that a server presents.
 *
 * ```ts
 * const authority = new AcmeAuthority({ directory, key: new AccountKey(secret), email: 'you@example.com' });
 * const chain = await orderCertificate({
 *   authority,
 *   names: ['shop.example'],
 *   privateKey: createCertificateKey(),
 *   present: { 'http-01': async ({ token, authorization }) => answers.set(token, authorization) },
 * });
 * const { renewAtMs } = await planRenewal({ authority, chain, nowMs: Date.now(), share: Math.random() });
 * ```
 *
 * A certificate that does not match the key or the names is refused, whatever its source.
 */
export { AccountKey, type ExternalAccount } from './certificates/acme/account-key.ts';
export { AcmeError } from './certificates/acme/acme-error.ts';
export { AcmeAuthority } from './certificates/acme/authority.ts';
export { type DnsSettings, createRecordChanger } from './certificates/dns/dns-records.ts';
export { presentByDns } from './certificates/dns/present-by-dns.ts';
export {
  type EdgeChallenge,
  edgeChallenges,
  orderCertificate,
  type OrderOptions,
} from './certificates/acme/order-certificate.ts';
export { presentByTls } from './certificates/acme/present-by-tls.ts';
export { nameForRenewal, planRenewal } from './certificates/acme/renewal.ts';
export {
  createAuthority,
  createCertificateKey,
  createProofCertificate,
  isCertificateName,
  issueCertificate,
  type KeyedCertificate,
  type Names,
  readPem,
  writePem,
} from './certificates/certificate.ts';
export type { TlsTarget } from './certificates/scan/handshake.ts';
export { scanTls, type TlsScan } from './certificates/scan/scan-tls.ts';
export { LocalAuthority } from './certificates/local-authority.ts';
