/** Certificates that were uploaded through the API and came with the configuration of their zone. */
import { X509Certificate } from 'node:crypto';
import { createSecureContext, type SecureContext } from 'node:tls';

export interface UploadedCertificate {
  readonly chain: string;
  readonly privateKey: string;
}

interface Usable {
  readonly certificate: X509Certificate;
  readonly context: SecureContext;
}

export class UploadedCertificates {
  /** Parsed when a client first asks, for as long as the configuration is in force. */
  readonly #parsed = new WeakMap<UploadedCertificate, Usable | 'unusable'>();

  /** The first that covers the name and has not expired. */
  find(
    uploaded: readonly UploadedCertificate[],
    serverName: string,
    nowMs: number,
  ): SecureContext | undefined {
    for (const each of uploaded) {
      const usable = this.#parse(each);
      if (usable === 'unusable' || usable.certificate.validToDate.getTime() <= nowMs) continue;
      if (usable.certificate.checkHost(serverName) !== undefined) return usable.context;
    }
    return undefined;
  }

  /** The control plane has checked it; one that this machine's TLS does not take is left out. */
  #parse(uploaded: UploadedCertificate): Usable | 'unusable' {
    const known = this.#parsed.get(uploaded);
    if (known !== undefined) return known;
    let parsed: Usable | 'unusable';
    try {
      const { chain, privateKey } = uploaded;
      parsed = {
        certificate: new X509Certificate(chain),
        context: createSecureContext({ cert: chain, key: privateKey }),
      };
    } catch {
      parsed = 'unusable';
    }
    this.#parsed.set(uploaded, parsed);
    return parsed;
  }
}
