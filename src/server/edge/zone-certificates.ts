/**
 * Certificates for the names of zones: the operator's, from `<directory>/<zone>.pem`, if it contains the name; otherwise one
 * of the local authority, issued when a client first asks and kept in memory. Files are checked regularly, so that renewed
 * ones are used without a restart; if a file cannot be used, the certificate before it stays in use.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext, type SecureContext } from 'node:tls';
import { type KeyedCertificate, readPem } from '../tls/certificate.ts';
import type { LocalAuthority } from '../tls/local-authority.ts';

/** How often a file is checked. */
const fileCheckMs = 60_000;

/** Certificates of the authority are replaced long before they expire. */
const reissueMs = 30 * 86_400_000;

/** A zone needs one, and one more for each level of names below it. */
const issuedMax = 1_000;

interface FromFile {
  readonly checkedAtMs: number;
  /** The modification time of the file; 0 without a file. */
  readonly modifiedAtMs: number;
  readonly certificate: KeyedCertificate['certificate'] | undefined;
  readonly context: SecureContext | undefined;
}

interface Issued {
  readonly atMs: number;
  readonly context: SecureContext;
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
  readonly #issued = new Map<string, Issued>();

  constructor(options: ZoneCertificatesOptions) {
    this.#options = options;
  }

  readonly of = (zoneName: string, serverName: string): SecureContext => {
    const nowMs = (this.#options.now ?? Date.now)();
    const kept = this.#fromFile(zoneName, nowMs);
    if (kept?.context !== undefined && kept.certificate?.checkHost(serverName) !== undefined) {
      return kept.context;
    }
    // A certificate covers a name and those one level below it.
    const parent = serverName === zoneName ? zoneName : serverName.slice(serverName.indexOf('.') + 1);
    return this.#issue(parent, nowMs);
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

  #issue(name: string, nowMs: number): SecureContext {
    const known = this.#issued.get(name);
    if (known !== undefined && nowMs - known.atMs < reissueMs) return known.context;
    const { certificate, privateKey } = this.#options.authority.issue([name, `*.${name}`], nowMs);
    const context = createSecureContext({
      cert: certificate.toString(),
      key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    });
    if (this.#issued.size >= issuedMax) this.#issued.delete(this.#issued.keys().next().value!);
    this.#issued.set(name, { atMs: nowMs, context });
    return context;
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
