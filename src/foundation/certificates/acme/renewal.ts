/**
 * When a certificate is renewed: in the window that its authority suggests (RFC 9773), at a random moment, so that
 * renewals of different servers do not coincide; without a window, when a third of its lifetime is left.
 */
import { X509Certificate } from 'node:crypto';
import { record, string } from '#shapes';
import * as der from '../der.ts';
import { findElement, readElements } from '../read-der.ts';
import type { AcmeAuthority } from './authority.ts';

const windowShape = record({ suggestedWindow: record({ start: string, end: string }) });

/** How often the authority's suggestion is read, if it names no time: a certificate may have to be replaced soon. */
const askAgainMs = 6 * 3_600_000;
const askAgainMsMax = 24 * 3_600_000;

export interface RenewalPlan {
  readonly renewAtMs: number;
  /** When to check again whether that has changed. */
  readonly lookAtMs: number;
}

export interface RenewalQuestion {
  readonly authority: AcmeAuthority;
  /** PEM. */
  readonly chain: string;
  readonly nowMs: number;
  /** From 0 to 1: the position of this certificate's renewal within the window. */
  readonly share: number;
}

/** If the authority does not answer, nothing changes. */
export async function planRenewal({ authority, chain, nowMs, share }: RenewalQuestion): Promise<RenewalPlan> {
  const certificate = new X509Certificate(chain);
  const fallback = { renewAtMs: planByLifetime(certificate), lookAtMs: nowMs + askAgainMs };
  const name = nameForRenewal(certificate);
  try {
    const { renewalInfo } = await authority.readDirectory();
    if (renewalInfo === undefined || name === undefined) return fallback;
    const { value, retryAfterMs } = await authority.readPublic(`${renewalInfo}/${name}`, windowShape);
    const [startMs, endMs] = [value.suggestedWindow.start, value.suggestedWindow.end].map(Date.parse);
    if (startMs === undefined || endMs === undefined || !(endMs > startMs)) return fallback;
    return {
      renewAtMs: startMs + (endMs - startMs) * share,
      lookAtMs: nowMs + Math.min(retryAfterMs ?? askAgainMs, askAgainMsMax),
    };
  } catch {
    return fallback;
  }
}

function planByLifetime({ validFromDate, validToDate }: X509Certificate): number {
  const [fromMs, toMs] = [validFromDate.getTime(), validToDate.getTime()];
  return toMs - (toMs - fromMs) / 3;
}

/** The identifier of its authority's key and its serial number, as in RFC 9773; undefined without the first. */
export function nameForRenewal(certificate: X509Certificate): string | undefined {
  const keyIdentifier = findAuthorityKeyIdentifier(certificate.raw);
  if (keyIdentifier === undefined) return undefined;
  const digits = certificate.serialNumber.padStart(
    certificate.serialNumber.length + (certificate.serialNumber.length % 2),
    '0',
  );
  const serial = Buffer.from(digits, 'hex');
  // As in the certificate: a leading one bit would be a sign.
  const written = serial[0]! >= 0x80 ? Buffer.concat([Uint8Array.of(0), serial]) : serial;
  return `${keyIdentifier.toString('base64url')}.${written.toString('base64url')}`;
}

const [sequenceTag, octetStringTag, identifierTag, extensionsTag, keyIdentifierTag] = [
  0x30, 0x04, 0x06, 0xa3, 0x80,
];
const authorityKeyIdentifier = findElement(der.objectIdentifier('2.5.29.35'), identifierTag)!;

function findAuthorityKeyIdentifier(certificate: Buffer): Buffer | undefined {
  const content = findElement(findElement(certificate, sequenceTag) ?? Buffer.alloc(0), sequenceTag);
  const extensions = findElement(
    findElement(content ?? Buffer.alloc(0), extensionsTag) ?? Buffer.alloc(0),
    sequenceTag,
  );
  for (const { content: extension } of readElements(extensions ?? Buffer.alloc(0))) {
    if (findElement(extension, identifierTag)?.equals(authorityKeyIdentifier) !== true) continue;
    const value = findElement(findElement(extension, octetStringTag) ?? Buffer.alloc(0), sequenceTag);
    return value && findElement(value, keyIdentifierTag);
  }
  return undefined;
}
