/** Describes a certificate for the API. */
import type { X509Certificate } from 'node:crypto';

export function listHosts({ subjectAltName = '' }: X509Certificate): string[] {
  const names = subjectAltName.split(', ').filter((name) => name.startsWith('DNS:'));
  return names.map((name) => name.slice('DNS:'.length).toLowerCase());
}

/** The issuer's organisation, or its name. */
export function findIssuer({ issuer }: X509Certificate): string {
  const find = (key: string): string | undefined =>
    issuer
      .split('\n')
      .find((line) => line.startsWith(`${key}=`))
      ?.slice(key.length + 1);
  return find('O') ?? find('CN') ?? '';
}

/** As Cloudflare spells it: `SHA256WithRSA`, `ECDSAWithSHA256`. */
export function describeSignature({ signatureAlgorithm = '' }: X509Certificate): string {
  const ecdsa = /^ecdsa-with-(SHA\d+)$/i.exec(signatureAlgorithm);
  if (ecdsa !== null) return `ECDSAWith${ecdsa[1]!.toUpperCase()}`;
  const rsa = /^(sha\d+)WithRSAEncryption$/i.exec(signatureAlgorithm);
  return rsa === null ? signatureAlgorithm : `${rsa[1]!.toUpperCase()}WithRSA`;
}
