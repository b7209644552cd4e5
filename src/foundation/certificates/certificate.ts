/**
 * Creates X.509 certificates: those of the local authority, and those that it issues to servers. Keys are on P-256,
 * which every TLS client accepts.
 */
import * as der from './der.ts';
import {
  generateKeyPairSync,
  hash,
  type KeyObject,
  createPrivateKey,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';

export type Names = readonly [string, ...string[]];

/** A certificate with its private key. */
export interface KeyedCertificate {
  readonly certificate: X509Certificate;
  readonly privateKey: KeyObject;
}

const dayMs = 86_400_000;
const authorityDays = 3650;
/** Some clients refuse certificates that are valid for longer. */
const certificateDays = 397;
/** Clocks of different machines differ a little. */
const clockSkewMs = 3_600_000;

export const ecdsaWithSha256 = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'));

/** An authority that is not trusted until a user adds it. The name is what trust stores show. */
export function createAuthority(name: string, nowMs: number): KeyedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [
    // It may sign certificates of servers, but not of other authorities.
    encodeExtension('2.5.29.19', der.sequence(der.boolean(true), der.integer(Uint8Array.of(0))), 'critical'),
    // keyCertSign, cRLSign.
    encodeExtension('2.5.29.15', der.bitString(Uint8Array.of(0b0000_0110), 1), 'critical'),
    encodeExtension('2.5.29.14', der.octetString(computeKeyIdentifier(publicKey))),
  ];
  const certificate = signCertificate({
    issuer: name,
    subject: name,
    publicKey,
    extensions,
    notBeforeMs: nowMs - clockSkewMs,
    notAfterMs: nowMs + authorityDays * dayMs,
    signingKey: privateKey,
  });
  return { certificate, privateKey };
}

/** The purpose of a certificate. */
export type CertificateUse = 'server' | 'client';

/** A certificate with these host names and addresses. */
export function issueCertificate(
  authority: KeyedCertificate,
  names: Names,
  nowMs: number,
  use: CertificateUse = 'server',
): KeyedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { certificate: certify(authority, { names, publicKey, nowMs, use }), privateKey };
}

interface Certified {
  readonly names: Names;
  readonly publicKey: KeyObject;
  readonly nowMs: number;
  readonly days?: number;
  readonly use?: CertificateUse;
}

/** @public A certificate for another party's key. */
export function certify(
  authority: KeyedCertificate,
  { names, publicKey, nowMs, days = certificateDays, use = 'server' }: Certified,
): X509Certificate {
  const issuerKey = authority.certificate.publicKey;
  const extensions = [
    encodeExtension('2.5.29.19', der.sequence(), 'critical'),
    // digitalSignature.
    encodeExtension('2.5.29.15', der.bitString(Uint8Array.of(0b1000_0000), 7), 'critical'),
    // serverAuth or clientAuth.
    encodeExtension(
      '2.5.29.37',
      der.sequence(der.objectIdentifier(`1.3.6.1.5.5.7.3.${use === 'server' ? 1 : 2}`)),
    ),
    encodeExtension('2.5.29.17', encodeAlternativeNames(names)),
    encodeExtension('2.5.29.14', der.octetString(computeKeyIdentifier(publicKey))),
    encodeExtension('2.5.29.35', der.sequence(der.taggedBytes(0, computeKeyIdentifier(issuerKey)))),
  ];
  return signCertificate({
    issuer: readAuthorityName(authority),
    subject: names[0].slice(0, commonNameCharactersMax),
    publicKey,
    extensions,
    notBeforeMs: nowMs - clockSkewMs,
    notAfterMs: Math.min(nowMs + days * dayMs, authority.certificate.validToDate.getTime()),
    signingKey: authority.privateKey,
  });
}

/**
 * The certificate that an authority expects in a handshake for a name (RFC 8737): self-signed, for this name alone,
 * with the digest that proves it. It has no other use, so its key is discarded with it.
 */
export function createProofCertificate(name: string, digest: Uint8Array, nowMs: number): KeyedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = signCertificate({
    issuer: name.slice(0, commonNameCharactersMax),
    subject: name.slice(0, commonNameCharactersMax),
    publicKey,
    extensions: [
      encodeExtension('2.5.29.17', encodeAlternativeNames([name])),
      encodeExtension('1.3.6.1.5.5.7.1.31', der.octetString(digest), 'critical'),
    ],
    notBeforeMs: nowMs - clockSkewMs,
    notAfterMs: nowMs + dayMs,
    signingKey: privateKey,
  });
  return { certificate, privateKey };
}

/** A new private key for a certificate, as PEM. */
export function createCertificateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Both parts as text, the key first, so that one file contains both. */
export function writePem({ certificate, privateKey }: KeyedCertificate): string {
  return `${privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()}${certificate.toString()}`;
}

export function readPem(pem: string): KeyedCertificate {
  const certificate = new X509Certificate(pem.slice(Math.max(0, pem.indexOf('-----BEGIN CERTIFICATE-----'))));
  const privateKey = createPrivateKey(pem);
  if (!certificate.checkPrivateKey(privateKey))
    throw new RangeError('the key does not belong to the certificate');
  return { certificate, privateKey };
}

/** The limit of X.520. */
const commonNameCharactersMax = 64;

interface Signing {
  readonly issuer: string;
  readonly subject: string;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly signingKey: KeyObject;
}

function signCertificate(signing: Signing): X509Certificate {
  const content = der.sequence(
    // Version 3.
    der.tagged(0, der.integer(Uint8Array.of(2))),
    der.integer(createSerialNumber()),
    ecdsaWithSha256,
    encodeName(signing.issuer),
    der.sequence(der.time(signing.notBeforeMs), der.time(signing.notAfterMs)),
    encodeName(signing.subject),
    signing.publicKey.export({ type: 'spki', format: 'der' }),
    der.tagged(3, der.sequence(...signing.extensions)),
  );
  const signature = sign('sha256', content, { key: signing.signingKey, dsaEncoding: 'der' });
  return new X509Certificate(der.sequence(content, ecdsaWithSha256, der.bitString(signature)));
}

/** Positive, and random enough to be unique. */
function createSerialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes;
}

function encodeName(commonName: string): Buffer {
  const attribute = der.sequence(der.objectIdentifier('2.5.4.3'), der.utf8String(commonName));
  return der.sequence(der.set(attribute));
}

/** As `createAuthority` wrote it: the name has only this part. */
function readAuthorityName({ certificate }: KeyedCertificate): string {
  return certificate.subject.slice('CN='.length);
}

export function encodeExtension(identifier: string, value: Buffer, importance?: 'critical'): Buffer {
  const critical = importance === 'critical' ? [der.boolean(true)] : [];
  return der.sequence(der.objectIdentifier(identifier), ...critical, der.octetString(value));
}

/** SHA-1 of the point itself, the last 65 bytes of the key on P-256; it identifies the key and protects nothing. */
function computeKeyIdentifier(publicKey: KeyObject): Buffer {
  return hash('sha1', publicKey.export({ type: 'spki', format: 'der' }).subarray(-65), 'buffer');
}

const hostNamePattern =
  /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/i;

export function isCertificateName(name: string): boolean {
  // An address with a zone (`fe80::1%eth0`) has a meaning on one machine only.
  return (isIP(name) !== 0 && !name.includes('%')) || (name.length <= 253 && hostNamePattern.test(name));
}

export function encodeAlternativeNames(names: readonly string[]): Buffer {
  return der.sequence(...names.map(encodeAlternativeName));
}

function encodeAlternativeName(name: string): Buffer {
  if (!isCertificateName(name)) {
    throw new RangeError(`a certificate is for host names and addresses: ${JSON.stringify(name)}`);
  }
  return isIP(name) === 0 ? der.taggedBytes(2, Buffer.from(name)) : der.taggedBytes(7, toIpBytes(name));
}

/** A valid address as 4 or 16 bytes. */
function toIpBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // The URL parser normalises addresses: eight groups in hexadecimal, the longest run of zeros as `::`.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before, after] = canonical.split('::').map(splitGroups);
  const zeros = after === undefined ? 0 : 8 - before!.length - after.length;
  const groups = [...before!, ...Array<string>(zeros).fill('0'), ...(after ?? [])];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function splitGroups(text: string): string[] {
  return text === '' ? [] : text.split(':');
}
