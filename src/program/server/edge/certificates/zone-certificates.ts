/**
 * Certificates for the names of zones: the operator's, from `<directory>/<zone>.pem`, if it contains the name;
 * otherwise one of the local authority (`issued-certificates.ts`). Files are checked regularly, so that renewed ones
 * are used without a restart; if a file cannot be used, the previous certificate stays in use.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SecureContext, SecureContextOptions } from 'node:tls';
import { type KeyedCertificate, type LocalAuthority, readPem } from '#certificates';
import { CertificateContexts } from './certificate-contexts.ts';
import { IssuedCertificates } from './issued-certificates.ts';
import { type UploadedCertificate, UploadedCertificates } from './uploaded-certificates.ts';

/** How often a file is checked. */
const fileCheckMs = 60_000;

interface FromFile {
  readonly checkedAtMs: number;
  /** The modification time of the file; 0 without a file. */
  readonly modifiedAtMs: number;
  readonly certificate: KeyedCertificate['certificate'] | undefined;
  readonly contexts: CertificateContexts | undefined;
}

export interface ZoneCertificatesOptions {
  readonly authority: LocalAuthority;
  readonly directory: string | undefined;
  /** The base of the session ticket keys; without it, each process has its own. */
  readonly secret?: Uint8Array;
  readonly now?: () => number;
  /** Receives errors of unusable files. */
  readonly onError: (file: string, error: unknown) => void;
}

export class ZoneCertificates {
  readonly #options: ZoneCertificatesOptions;
  readonly #files = new Map<string, FromFile>();
  readonly #uploaded: UploadedCertificates;
  readonly #issued: IssuedCertificates;

  constructor(options: ZoneCertificatesOptions) {
    this.#options = options;
    this.#uploaded = new UploadedCertificates(options.secret);
    this.#issued = new IssuedCertificates(options.authority, options.secret);
  }

  readonly of = (
    zoneName: string,
    serverName: string,
    uploaded: readonly UploadedCertificate[] = [],
    choice: SecureContextOptions = {},
  ): SecureContext => {
    const nowMs = (this.#options.now ?? Date.now)();
    return this.#find(zoneName, serverName, uploaded, nowMs).get(choice, nowMs);
  };

  #find(
    zoneName: string,
    serverName: string,
    uploaded: readonly UploadedCertificate[],
    nowMs: number,
  ): CertificateContexts {
    const kept = this.#fromFile(zoneName, nowMs);
    if (kept?.contexts !== undefined && kept.certificate?.checkHost(serverName) !== undefined) {
      return kept.contexts;
    }
    return this.#uploaded.find(uploaded, serverName, nowMs) ?? this.#issued.find(zoneName, serverName, nowMs);
  }

  #fromFile(zoneName: string, nowMs: number): FromFile | undefined {
    const { directory, secret, onError } = this.#options;
    if (directory === undefined) return undefined;
    const known = this.#files.get(zoneName);
    if (known !== undefined && nowMs - known.checkedAtMs < fileCheckMs) return known;
    const file = join(directory, `${zoneName}.pem`);
    let found: FromFile;
    try {
      found = readFile(file, known, { secret, nowMs });
    } catch (error) {
      onError(file, error);
      found = { modifiedAtMs: 0, certificate: undefined, contexts: undefined, ...known, checkedAtMs: nowMs };
    }
    this.#files.set(zoneName, found);
    return found;
  }
}

function readFile(
  file: string,
  known: FromFile | undefined,
  { secret, nowMs }: { readonly secret: Uint8Array | undefined; readonly nowMs: number },
): FromFile {
  const modifiedAtMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (known?.modifiedAtMs === modifiedAtMs) return { ...known, checkedAtMs: nowMs };
  if (modifiedAtMs === 0) {
    return { checkedAtMs: nowMs, modifiedAtMs, certificate: undefined, contexts: undefined };
  }
  const pem = readFileSync(file, 'utf8');
  const { certificate } = readPem(pem);
  return {
    checkedAtMs: nowMs,
    modifiedAtMs,
    certificate,
    contexts: new CertificateContexts({ cert: pem, key: pem }, secret, nowMs),
  };
}
