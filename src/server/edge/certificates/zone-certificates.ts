/**
 * Certificates for the names of zones: the operator's, from `<directory>/<zone>.pem`, if it contains the name; otherwise
 * one of the local authority (`issued-certificates.ts`). Files are checked regularly, so that renewed ones are used
 * without a restart; if a file cannot be used, the certificate before it stays in use.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';
import { type KeyedCertificate, type LocalAuthority, readPem } from '#certificates';
import { IssuedCertificates } from './issued-certificates.ts';
import { type UploadedCertificate, UploadedCertificates } from './uploaded-certificates.ts';

/** How often a file is checked. */
const fileCheckMs = 60_000;

interface FromFile {
  readonly checkedAtMs: number;
  /** The modification time of the file; 0 without a file. */
  readonly modifiedAtMs: number;
  readonly certificate: KeyedCertificate['certificate'] | undefined;
  readonly context: SecureContext | undefined;
}

export interface ZoneCertificatesOptions {
  readonly authority: LocalAuthority;
  readonly directory: string | undefined;
  readonly now?: () => number;
  /** Receives files that cannot be used. */
  readonly onError: (file: string, error: unknown) => void;
}

export class ZoneCertificates {
  readonly #options: ZoneCertificatesOptions;
  readonly #files = new Map<string, FromFile>();
  readonly #uploaded = new UploadedCertificates();
  readonly #issued: IssuedCertificates;

  constructor(options: ZoneCertificatesOptions) {
    this.#options = options;
    this.#issued = new IssuedCertificates(options.authority);
  }

  readonly of = (
    zoneName: string,
    serverName: string,
    uploaded: readonly UploadedCertificate[] = [],
  ): SecureContext => {
    const nowMs = (this.#options.now ?? Date.now)();
    const kept = this.#fromFile(zoneName, nowMs);
    if (kept?.context !== undefined && kept.certificate?.checkHost(serverName) !== undefined) {
      return kept.context;
    }
    return this.#uploaded.find(uploaded, serverName, nowMs) ?? this.#issued.find(zoneName, serverName, nowMs);
  };

  #fromFile(zoneName: string, nowMs: number): FromFile | undefined {
    const { directory, onError } = this.#options;
    if (directory === undefined) return undefined;
    const known = this.#files.get(zoneName);
    if (known !== undefined && nowMs - known.checkedAtMs < fileCheckMs) return known;
    const file = join(directory, `${zoneName}.pem`);
    let found: FromFile;
    try {
      found = readFile(file, known, nowMs);
    } catch (error) {
      onError(file, error);
      found = { modifiedAtMs: 0, certificate: undefined, context: undefined, ...known, checkedAtMs: nowMs };
    }
    this.#files.set(zoneName, found);
    return found;
  }
}

function readFile(file: string, known: FromFile | undefined, nowMs: number): FromFile {
  const modifiedAtMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (known?.modifiedAtMs === modifiedAtMs) return { ...known, checkedAtMs: nowMs };
  if (modifiedAtMs === 0) {
    return { checkedAtMs: nowMs, modifiedAtMs, certificate: undefined, context: undefined };
  }
  const pem = readFileSync(file, 'utf8');
  const { certificate } = readPem(pem);
  return {
    checkedAtMs: nowMs,
    modifiedAtMs,
    certificate,
    context: createSecureContext({ cert: pem, key: pem }),
  };
}
