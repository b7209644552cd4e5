/**
 * The authority of this installation, for HTTPS without a certificate from elsewhere. It is created at the first
 * start and stored:
 *
 * ```
 * <directory>/ca.pem      the authority's key and certificate, for its owner only, with a copy (ca.pem.copy)
 * <directory>/ca.crt      its certificate, to give to clients
 * <directory>/server.pem  key and certificate of the server, issued again before they expire, when the names change, or if
 *                         the file is damaged
 * ```
 *
 * Only clients that were configured to trust it accept its certificates.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  createSecretFile,
  diskRefusalOf,
  makeDirectory,
  mendSecretFile,
  readIfThere,
  readSecretFile,
  type SecretFile,
  writePrivateFile,
} from '#files';
import {
  type CertificateUse,
  createAuthority,
  issueCertificate,
  type KeyedCertificate,
  type Names,
  readPem,
  writePem,
} from './certificate.ts';

/** How long before its end a certificate is replaced. */
const renewBeforeMs = 30 * 86_400_000;

export class LocalAuthority {
  /** The certificate that clients must trust. */
  readonly certificateFile: string;
  readonly #serverFile: string;
  readonly #authority: KeyedCertificate;

  private constructor(directory: string, authority: KeyedCertificate) {
    this.certificateFile = join(directory, 'ca.crt');
    this.#serverFile = join(directory, 'server.pem');
    this.#authority = authority;
  }

  /** Opens the authority in the directory, or creates it. `warn` receives the problems that were repaired. */
  static open(directory: string, nowMs: number, warn: (message: string) => void = () => {}): LocalAuthority {
    makeDirectory(directory);
    const file: SecretFile = { path: join(directory, 'ca.pem'), isSecret: isPem };
    mendSecretFile(file, warn);
    const found = readSecretFile(file);
    if (found.state === 'damaged')
      throw new DamagedCertificateError(
        `${found.reason}: put it back from a backup, or delete ${file.path} with its copy: the next start creates a new one, which clients have to trust again`,
      );
    const name = `Gatehouse local authority ${randomBytes(3).toString('hex')}`;
    const pem =
      found.state === 'whole'
        ? found.content
        : createSecretFile(file, writePem(createAuthority(name, nowMs)));
    const kept = readPem(pem.toString());
    const authority = new LocalAuthority(directory, kept);
    writePrivateFile(authority.certificateFile, kept.certificate.toString());
    return authority;
  }

  /** The server's certificate, issued again if the stored one is no longer valid. */
  getServerCertificate(names: Names, nowMs: number): KeyedCertificate {
    const kept = readIfWhole(this.#serverFile);
    if (kept !== undefined && this.#isStillGood(kept, names, nowMs)) return kept;
    const issued = this.issue(names, nowMs);
    try {
      writePrivateFile(this.#serverFile, writePem(issued));
    } catch (error) {
      // Clients that trust the authority accept this certificate as well as the next, so it can be used without being
      // stored.
      if (diskRefusalOf(error) === undefined) throw error;
    }
    return issued;
  }

  issue(names: Names, nowMs: number, use: CertificateUse = 'server'): KeyedCertificate {
    return issueCertificate(this.#authority, names, nowMs, use);
  }

  #isStillGood({ certificate }: KeyedCertificate, names: Names, nowMs: number): boolean {
    const { certificate: issuer } = this.#authority;
    const isFresh = certificate.validToDate.getTime() - nowMs > renewBeforeMs;
    const isOurs = certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
    return isFresh && isOurs && names.every((name) => isFor(certificate, name));
  }
}

function isFor({ subjectAltName = '' }: KeyedCertificate['certificate'], name: string): boolean {
  const entries = subjectAltName.split(', ').map((entry) => entry.slice(entry.indexOf(':') + 1));
  return entries.some((entry) => isSameName(entry, name));
}

/** IPv6 addresses in certificates have another form than the usual one. */
function isSameName(left: string, right: string): boolean {
  const canonical = (name: string): string =>
    name.includes(':') ? (URL.parse(`http://[${name}]`)?.hostname ?? name) : name.toLowerCase();
  return canonical(left) === canonical(right);
}

function isPem(content: Buffer): boolean {
  try {
    readPem(content.toString());
    return true;
  } catch {
    return false;
  }
}

function readIfWhole(file: string): KeyedCertificate | undefined {
  const pem = readIfThere(file);
  return pem !== undefined && isPem(Buffer.from(pem)) ? readPem(pem) : undefined;
}

class DamagedCertificateError extends Error {
  override readonly name = 'DamagedCertificateError';
  readonly code = 'CERTIFICATE_DAMAGED';
}
