/** The certificate of an HTTPS listener: the operator's, or one of the local authority that is renewed in time. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import type { Log } from '#base';
import { isCertificateName, LocalAuthority, type Names } from '#certificates';
import { type Config, ConfigurationError, describePlace } from './config/read-config.ts';

/** A certificate is renewed a month before it expires, so checking twice a day is enough. */
const renewalCheckMs = 12 * 3_600_000;

type CertificateSource =
  | { readonly kind: 'files'; readonly context: SecureContextOptions }
  | { readonly kind: 'local'; readonly authority: LocalAuthority; readonly names: Names };

interface ServerTlsOptions {
  readonly directory: string;
  readonly config: Config;
  readonly log: Pick<Log, 'warn'>;
}

export class ServerTls {
  readonly #source: CertificateSource;
  #timer: NodeJS.Timeout | undefined;

  private constructor(source: CertificateSource) {
    this.#source = source;
  }

  static open({ directory, config, log }: ServerTlsOptions): ServerTls {
    const { tlsCert, tlsKey, tlsKeyPassphrase, tlsNames } = config.settings;
    if (tlsCert !== undefined) {
      return new ServerTls({ kind: 'files', context: readFiles(config, tlsCert, tlsKey!, tlsKeyPassphrase) });
    }
    const own = hostname();
    const names: Names = [
      'localhost',
      '127.0.0.1',
      '::1',
      ...(isCertificateName(own) ? [own] : []),
      ...tlsNames,
    ];
    const authority = LocalAuthority.open(directory, Date.now(), log.warn);
    return new ServerTls({ kind: 'local', authority, names });
  }

  context(): SecureContextOptions {
    if (this.#source.kind === 'files') return this.#source.context;
    const { authority, names } = this.#source;
    const { certificate, privateKey } = authority.getServerCertificate(names, Date.now());
    return { cert: certificate.toString(), key: privateKey.export({ type: 'pkcs8', format: 'pem' }) };
  }

  /** The CA certificate that clients must trust, if it is our own authority's. */
  trust(): { readonly ca_file?: string } {
    return this.#source.kind === 'local' ? { ca_file: this.#source.authority.certificateFile } : {};
  }

  keepFresh(renew: (context: SecureContextOptions) => void): void {
    if (this.#source.kind === 'files') return;
    this.#timer = setInterval(() => renew(this.context()), renewalCheckMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }
}

function readFiles(
  config: Config,
  certFile: string,
  keyFile: string,
  passphrase: string | undefined,
): SecureContextOptions {
  try {
    const secret = passphrase === undefined ? {} : { passphrase };
    const context = { cert: readFileSync(certFile), key: readFileSync(keyFile), ...secret };
    createSecureContext(context);
    return context;
  } catch (error) {
    const place = describePlace('tlsCert', config.sources.tlsCert);
    const reason = (error as Error).message;
    throw new ConfigurationError(`${place} and its key cannot be used: ${reason}`, { cause: error });
  }
}
