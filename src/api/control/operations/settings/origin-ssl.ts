/** The effective value of a zone's setting `ssl` for its origin, while none was chosen. */
import type { ConfiguredOrigin } from '#firewall';
import { actingSettings, type SslMode } from '#zone-settings';

/** A Worker is reached within this machine, which is as secure as a certificate. */
export function describeOriginSsl(origin: ConfiguredOrigin | undefined): SslMode {
  if (origin === undefined || 'worker' in origin) return actingSettings.ssl.fallback;
  if (origin.url.startsWith('http:')) return 'flexible';
  return origin.verifyTls ? 'strict' : 'full';
}
