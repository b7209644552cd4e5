/**
 * Makes X.509 certificates: of a small authority of our own, and of servers it vouches for. Keys are on P-256, which every TLS
 * client takes.
 */
import {
  generateKeyPairSync,
  hash,
  type KeyObject,
  createPrivateKey,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import * as der from './der.ts';
import { ipBytes } from './ip-bytes.ts';

/** A certificate with its private key. */
export interface KeyedCertificate {
  readonly certificate: X509Certificate;
  readonly privateKey: KeyObject;
}

const dayMs = 86_400_000;
const authorityDays = 3650;
/** Clients of some makers take no longer one. */
const certificateDays = 397;
/** Clocks of machines that talk to each other differ a little. */
const clockSkewMs = 3_600_000;

const ecdsaWithSha256 = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'));

/** An authority that nobody trusts until told to. The name is what trust stores show. */
export function createAuthority(name: string, nowMs: number): KeyedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [
    // May sign certificates of servers, but not of other authorities.
    extension('2.5.29.19', der.sequence(der.boolean(true), der.integer(Uint8Array.of(0))), 'critical'),
    // keyCertSign, cRLSign.
    extension('2.5.29.15', der.bitString(Uint8Array.of(0b0000_0110), 1), 'critical'),
    extension('2.5.29.14', der.octetString(keyIdentifier(publicKey))),
  ];
  const certificate = signed({
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

/** A certificate for a server that is reached under these host names and addresses. */
export function issueCertificate(
  authority: KeyedCertificate,
  names: readonly [string, ...string[]],
  nowMs: number,
): KeyedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuerKey = authority.certificate.publicKey;
  const extensions = [
    extension('2.5.29.19', der.sequence(), 'critical'),
    // digitalSignature.
    extension('2.5.29.15', der.bitString(Uint8Array.of(0b1000_0000), 7), 'critical'),
    // serverAuth.
    extension('2.5.29.37', der.sequence(der.objectIdentifier('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', der.sequence(...names.map(alternativeName))),
    extension('2.5.29.14', der.octetString(keyIdentifier(publicKey))),
    extension('2.5.29.35', der.sequence(der.taggedBytes(0, keyIdentifier(issuerKey)))),
  ];
  const certificate = signed({
    issuer: authorityName(authority),
    subject: names[0].slice(0, commonNameCharactersMax),
    publicKey,
    extensions,
    notBeforeMs: nowMs - clockSkewMs,
    notAfterMs: Math.min(nowMs + certificateDays * dayMs, authority.certificate.validToDate.getTime()),
    signingKey: authority.privateKey,
  });
  return { certificate, privateKey };
}

/** Both parts as text, the key first: one file holds what belongs together. */
export function writePem({ certificate, privateKey }: KeyedCertificate): string {
  return `${privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()}${certificate.toString()}`;
}

export function readPem(pem: string): KeyedCertificate {
  const certificate = new X509Certificate(pem.slice(Math.max(0, pem.indexOf('-----BEGIN CERTIFICATE-----'))));
  const privateKey = createPrivateKey(pem);
  if (!certificate.checkPrivateKey(privateKey))
    throw new RangeError('the key is not that of the certificate');
  return { certificate, privateKey };
}

/** X.520 allows no more. */
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

function signed(signing: Signing): X509Certificate {
  const content = der.sequence(
    // Version 3.
    der.tagged(0, der.integer(Uint8Array.of(2))),
    der.integer(serialNumber()),
    ecdsaWithSha256,
    distinguishedName(signing.issuer),
    der.sequence(der.time(signing.notBeforeMs), der.time(signing.notAfterMs)),
    distinguishedName(signing.subject),
    signing.publicKey.export({ type: 'spki', format: 'der' }),
    der.tagged(3, der.sequence(...signing.extensions)),
  );
  const signature = sign('sha256', content, { key: signing.signingKey, dsaEncoding: 'der' });
  return new X509Certificate(der.sequence(content, ecdsaWithSha256, der.bitString(signature)));
}

/** Positive, and too random to be met twice. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return bytes;
}

function distinguishedName(commonName: string): Buffer {
  const attribute = der.sequence(der.objectIdentifier('2.5.4.3'), der.utf8String(commonName));
  return der.sequence(der.set(attribute));
}

/** As `createAuthority` wrote it: the name has this one part. */
function authorityName({ certificate }: KeyedCertificate): string {
  return certificate.subject.slice('CN='.length);
}

function extension(identifier: string, value: Buffer, importance?: 'critical'): Buffer {
  const critical = importance === 'critical' ? [der.boolean(true)] : [];
  return der.sequence(der.objectIdentifier(identifier), ...critical, der.octetString(value));
}

/** SHA-1 of the point itself, the last 65 bytes of the key on P-256; a name for it, not a protection. */
function keyIdentifier(publicKey: KeyObject): Buffer {
  return hash('sha1', publicKey.export({ type: 'spki', format: 'der' }).subarray(-65), 'buffer');
}

const hostNamePattern =
  /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/i;

export function isCertificateName(name: string): boolean {
  // An address with a zone (`fe80::1%eth0`) means something on one machine only.
  return (isIP(name) !== 0 && !name.includes('%')) || (name.length <= 253 && hostNamePattern.test(name));
}

function alternativeName(name: string): Buffer {
  if (!isCertificateName(name)) {
    throw new RangeError(`a certificate is for host names and addresses: ${JSON.stringify(name)}`);
  }
  return isIP(name) === 0 ? der.taggedBytes(2, Buffer.from(name)) : der.taggedBytes(7, ipBytes(name));
}
