import { connect, type PeerCertificate } from 'node:tls';

/** The identifier of the extension, and the head of the octets that it contains. */
const proofExtension = Buffer.from('06082b0601050507011f0101ff04220420', 'hex');

/** A server's proof for a name in a handshake for `acme-tls/1` (RFC 8737), as base64url; or why it is invalid. */
export function readTlsProof(
  where: { readonly host: string; readonly port: number },
  name: string,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({
      ...where,
      servername: name,
      ALPNProtocols: ['acme-tls/1'],
      rejectUnauthorized: false,
    });
    socket.on('error', (error) => resolve(error.message));
    socket.on('close', () => resolve('the connection was closed'));
    socket.on('secureConnect', () => {
      const certificate = socket.getPeerCertificate();
      resolve(socket.alpnProtocol === 'acme-tls/1' ? findDigest(certificate, name) : 'another protocol');
      socket.destroy();
    });
  });
}

function findDigest({ raw, subjectaltname }: PeerCertificate, name: string): string {
  if (subjectaltname !== `DNS:${name}`) return `a certificate for ${subjectaltname}`;
  const start = raw.indexOf(proofExtension);
  if (start < 0) return 'a certificate without a proof';
  return raw
    .subarray(start + proofExtension.length, start + proofExtension.length + 32)
    .toString('base64url');
}
