/**
 * Certificates that the edge presents to origins (setting `tls_client_auth`): issued by the local authority, which is
 * opened on demand. An origin trusts `ca.crt` in its directory, and finds the name of the zone in the certificate.
 */
import type { SecureContextOptions } from 'node:tls';
import { LocalAuthority } from '#certificates';

/** A certificate is valid much longer. */
const reissueMs = 30 * 86_400_000;

type Shown = Pick<SecureContextOptions, 'cert' | 'key'>;

export function createClientCertificates(
  directory: string,
  now: () => number = Date.now,
): (zoneName: string) => Shown {
  let authority: LocalAuthority | undefined;
  const issued = new Map<string, { readonly shown: Shown; readonly issuedAtMs: number }>();
  return (zoneName) => {
    const nowMs = now();
    const known = issued.get(zoneName);
    if (known !== undefined && nowMs - known.issuedAtMs < reissueMs) return known.shown;
    authority ??= LocalAuthority.open(directory, nowMs);
    const { certificate, privateKey } = authority.issue([zoneName], nowMs, 'client');
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const shown = { cert: certificate.toString(), key };
    issued.set(zoneName, { shown, issuedAtMs: nowMs });
    return shown;
  };
}
