/**
 * The TLS contexts of one certificate: one for each combination of zones' TLS settings, with the keys of session
 * tickets. All edge processes, and all hosts with the same secret, derive the same keys without communication, so a
 * session can be resumed in any of them. The keys change with the clock; a ticket of earlier keys costs its client one
 * full handshake.
 */
import { hkdfSync } from 'node:crypto';
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { createProofCertificate, writePem } from '#certificates';

/** Clients keep a ticket for two hours by default, and never for more than a day. */
const ticketKeysMs = 86_400_000;
const ticketKeysBytes = 48;

/** Contexts of one certificate. Zones that share one, and changes of their settings, create few. */
const contextsMax = 16;

export class CertificateContexts {
  readonly #pem: Pick<SecureContextOptions, 'cert' | 'key'>;
  readonly #secret: Uint8Array | undefined;
  readonly #contexts = new Map<string, SecureContext>();
  #period = -1;

  /** Throws if the key does not fit the certificate. Without a secret, each context has ticket keys of its own. */
  constructor(
    pem: Pick<SecureContextOptions, 'cert' | 'key'>,
    secret: Uint8Array | undefined,
    nowMs: number,
  ) {
    this.#pem = pem;
    this.#secret = secret;
    this.get({}, nowMs);
  }

  get(choice: SecureContextOptions, nowMs: number): SecureContext {
    const period = Math.floor(nowMs / ticketKeysMs);
    if (period !== this.#period || this.#contexts.size >= contextsMax) this.#contexts.clear();
    this.#period = period;
    const key = JSON.stringify(choice);
    let context = this.#contexts.get(key);
    if (context === undefined) {
      context = createSecureContext({
        ...this.#pem,
        ...choice,
        ...this.#createTicketKeys(period),
        // The zone's order of preference counts, not the client's.
        honorCipherOrder: true,
      });
      this.#contexts.set(key, context);
    }
    return context;
  }

  #createTicketKeys(period: number): SecureContextOptions {
    if (this.#secret === undefined) return {};
    const keys = hkdfSync('sha256', this.#secret, '', `tls session tickets ${period}`, ticketKeysBytes);
    return { ticketKeys: Buffer.from(keys) };
  }
}

/**
 * Presents the certificate that validates a name to a certificate authority (tls-alpn-01). `digest` is base64url.
 */
export function createProofContext(name: string, digest: string): SecureContext {
  const pem = writePem(createProofCertificate(name, Buffer.from(digest, 'base64url'), Date.now()));
  return createSecureContext({ cert: pem, key: pem });
}
