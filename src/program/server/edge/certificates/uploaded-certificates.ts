/** Certificates that were uploaded through the API and are part of their zone's configuration. */
import { X509Certificate } from 'node:crypto';
import { CertificateContexts } from './certificate-contexts.ts';

export interface UploadedCertificate {
  readonly chain: string;
  readonly privateKey: string;
}

interface Usable {
  readonly certificate: X509Certificate;
  readonly contexts: CertificateContexts;
}

export class UploadedCertificates {
  readonly #secret: Uint8Array | undefined;
  /** Parsed at the first handshake, and kept while the configuration is in force. */
  readonly #parsed = new WeakMap<UploadedCertificate, Usable | 'unusable'>();

  constructor(secret: Uint8Array | undefined) {
    this.#secret = secret;
  }

  /** The first unexpired one that covers the name. */
  find(
    uploaded: readonly UploadedCertificate[],
    serverName: string,
    nowMs: number,
  ): CertificateContexts | undefined {
    for (const each of uploaded) {
      const usable = this.#parse(each, nowMs);
      if (usable === 'unusable' || usable.certificate.validToDate.getTime() <= nowMs) continue;
      if (usable.certificate.checkHost(serverName) !== undefined) return usable.contexts;
    }
    return undefined;
  }

  /** The control plane has validated it; one that this machine's TLS does not accept is omitted. */
  #parse(uploaded: UploadedCertificate, nowMs: number): Usable | 'unusable' {
    const known = this.#parsed.get(uploaded);
    if (known !== undefined) return known;
    let parsed: Usable | 'unusable';
    try {
      const { chain, privateKey } = uploaded;
      parsed = {
        certificate: new X509Certificate(chain),
        contexts: new CertificateContexts({ cert: chain, key: privateKey }, this.#secret, nowMs),
      };
    } catch {
      parsed = 'unusable';
    }
    this.#parsed.set(uploaded, parsed);
    return parsed;
  }
}
