/** A request for a certificate (PKCS #10, RFC 2986), signed by the key that the certificate will be for. */
import { type KeyObject, createPublicKey, sign } from 'node:crypto';
import { ecdsaWithSha256, encodeAlternativeNames, encodeExtension } from './certificate.ts';
import * as der from './der.ts';

const extensionRequest = '1.2.840.113549.1.9.14';

/** DER. The names are only in the extension, where every authority looks; the subject is empty. */
export function createCertificateRequest(names: readonly string[], privateKey: KeyObject): Buffer {
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
