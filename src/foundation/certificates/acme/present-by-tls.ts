/** Proves names in TLS handshakes (tls-alpn-01, RFC 8737): for servers whose port 80 cannot be reached. */
import { hash } from 'node:crypto';
import type { Presenter } from './order-certificate.ts';

/** `keep` resolves when the servers of the name return the digest; undefined removes it. */
export function presentByTls(keep: (name: string, digest: string | undefined) => Promise<void>): Presenter {
  return async ({ name, authorization }) => {
    await keep(name, hash('sha256', authorization, 'base64url'));
    return () => keep(name, undefined);
  };
}
