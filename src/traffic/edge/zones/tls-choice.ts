/** The TLS options that the settings of a zone choose. */
import type { SecureContextOptions } from 'node:tls';
import { defaultCipherNames, type ZoneSettings } from '#zone-settings';

export type TlsChoice = Pick<SecureContextOptions, 'minVersion' | 'maxVersion' | 'ciphers'>;

/** Without any of these, Node.js turns TLS 1.3 off. */
const suitesOfTls13 = 'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256';

/** For a zone with default settings. */
export const defaultTlsChoice: TlsChoice = { ciphers: `${suitesOfTls13}:${defaultCipherNames.join(':')}` };

export function createTlsChoice({ min_tls_version, tls_1_3, ciphers }: ZoneSettings): TlsChoice {
  if (min_tls_version === '1.2' && tls_1_3 === 'on' && ciphers.length === 0) return defaultTlsChoice;
  return {
    ...defaultTlsChoice,
    ...(min_tls_version === '1.3' ? { minVersion: 'TLSv1.3' } : {}),
    ...(tls_1_3 === 'off' ? { maxVersion: 'TLSv1.2' } : {}),
    ...(ciphers.length === 0 ? {} : { ciphers: `${suitesOfTls13}:${ciphers.join(':')}` }),
  };
}
