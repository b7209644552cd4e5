/** One handshake with a server, and its result. */
import type { X509Certificate } from 'node:crypto';
import { connect, type ConnectionOptions, type SecureVersion } from 'node:tls';

const handshakeMs = 10_000;

export interface TlsTarget {
  /** The requested server name. */
  readonly host: string;
  readonly address: string;
  readonly port: number;
  /** Certificates to trust, in PEM; those of the system if there are none. */
  readonly ca: string | undefined;
}

export interface Handshake {
  readonly protocol: string;
  readonly cipher: string;
  /** The negotiated application protocol; undefined if there is none. */
  readonly application: string | undefined;
  /** The certificate of the server first. */
  readonly chain: readonly X509Certificate[];
  /** Why a browser would refuse it; undefined if it would accept it. */
  readonly distrust: string | undefined;
  readonly isResumed: boolean;
}

export interface Offer {
  readonly version?: SecureVersion;
  readonly ciphers?: string;
  readonly applications?: readonly string[];
  /** The session of an earlier handshake. */
  readonly session?: Buffer | undefined;
  readonly onSession?: (session: Buffer) => void;
}

/** Rejects if the handshake fails. */
export function shakeHands({ host, address, port, ca }: TlsTarget, offer: Offer = {}): Promise<Handshake> {
  const { version, ciphers, applications = ['http/1.1'], session, onSession } = offer;
  const options: ConnectionOptions = {
    host: address,
    port,
    servername: host,
    rejectUnauthorized: false,
    ALPNProtocols: [...applications],
    // Obsolete ciphers are also offered: the scan finds out whether the server accepts them.
    ciphers: ciphers ?? 'ALL:@SECLEVEL=0',
    minVersion: version ?? 'TLSv1',
    maxVersion: version ?? 'TLSv1.3',
    ...(ca === undefined ? {} : { ca }),
    ...(session === undefined ? {} : { session }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<Handshake>();
  const socket = connect(options);
  socket.setTimeout(handshakeMs, () => socket.destroy(new Error('the server does not answer')));
  socket.on('error', reject);
  // The server may close without giving a reason.
  socket.once('close', () => reject(new Error('the server closed the connection')));
  socket.once('secureConnect', () => {
    const shown: Handshake = {
      protocol: socket.getProtocol() ?? '',
      cipher: socket.getCipher().name,
      application: socket.alpnProtocol === false ? undefined : (socket.alpnProtocol ?? undefined),
      chain: listChain(socket.getPeerX509Certificate()),
      distrust: socket.authorized ? undefined : String(socket.authorizationError),
      isResumed: socket.isSessionReused(),
    };
    resolve(shown);
    if (onSession === undefined) return void socket.destroy();
    // With TLS 1.3, the session arrives after the handshake, if at all.
    socket.once('session', (given) => {
      onSession(given);
      socket.destroy();
    });
  });
  return promise;
}

/** A self-signed root ends it. */
function listChain(first: X509Certificate | undefined): X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let each = first; each !== undefined && chain.length < 10; each = each.issuerCertificate) {
    if (chain.some(({ fingerprint256 }) => fingerprint256 === each.fingerprint256)) break;
    chain.push(each);
  }
  return chain;
}
