/** Presents the certificate that validates a name to a certificate authority (tls-alpn-01). */
import { createSecureContext, type SecureContext } from 'node:tls';
import { createProofCertificate, writePem } from '#certificates';

/** `digest` is base64url. */
export function createProofContext(name: string, digest: string): SecureContext {
  const pem = writePem(createProofCertificate(name, Buffer.from(digest, 'base64url'), Date.now()));
  return createSecureContext({ cert: pem, key: pem });
}
