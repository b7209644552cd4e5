import { once } from 'node:events';
import { connect } from 'node:tls';

/** The name of the authority that issued a server's certificate for a name. */
export async function readIssuer(url: string, servername: string): Promise<string> {
  const { port } = new URL(url);
  const socket = connect({ host: '127.0.0.1', port: Number(port), servername, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { issuer } = socket.getPeerCertificate();
  socket.destroy();
  return String(issuer.CN);
}
