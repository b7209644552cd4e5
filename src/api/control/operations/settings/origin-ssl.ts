/** What the origin of a zone means for its setting `ssl`, while none was chosen. */
import type { ConfiguredOrigin } from '#firewall';
import { actingSettings, type SslMode } from '#zone-settings';

/** A Worker is reached inside of this machine, which is as good as a certificate. */
export function describeOriginSsl(origin: ConfiguredOrigin | undefined): SslMode {
  if (origin === undefined || 'worker' in origin) return actingSettings.ssl.fallback;
  if (origin.url.startsWith('http:')) return 'flexible';
  return origin.verifyTls ? 'strict' : 'full';
}
