/**
 * The authority of this installation, for HTTPS without a certificate from elsewhere. It is made at the first start and kept:
 *
 * ```
 * <directory>/ca.pem      the authority's key and certificate, for its owner only
 * <directory>/ca.crt      its certificate, to give to clients
 * <directory>/server.pem  key and certificate of the server, made again when they run out or the names change
 * ```
 *
 * It vouches for this server to clients that were told to trust it, and to nobody else.
 */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskRefusalOf } from '#base';
import { createPrivateFile, writePrivateFile } from '../private-file.ts';
import {
  createAuthority,
  issueCertificate,
  type KeyedCertificate,
  readPem,
  writePem,
} from './certificate.ts';

/** A certificate is replaced so long before it ends. */
const renewBeforeMs = 30 * 86_400_000;

export type Names = readonly [string, ...string[]];

export class LocalAuthority {
  /** What clients are given to trust. */
  readonly certificateFile: string;
  readonly #serverFile: string;
  readonly #authority: KeyedCertificate;

  private constructor(directory: string, authority: KeyedCertificate) {
    this.certificateFile = join(directory, 'ca.crt');
    this.#serverFile = join(directory, 'server.pem');
    this.#authority = authority;
  }

  /** Opens the one in the directory, or makes it. */
  static open(directory: string, nowMs: number): LocalAuthority {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const file = join(directory, 'ca.pem');
    let kept = read(file);
    if (kept === undefined) {
      const name = `Gatehouse local authority ${randomBytes(3).toString('hex')}`;
      createPrivateFile(file, writePem(createAuthority(name, nowMs)));
      // Of two processes that start at once, one made it.
      kept = read(file)!;
    }
    const authority = new LocalAuthority(directory, kept);
    writePrivateFile(authority.certificateFile, kept.certificate.toString());
    return authority;
  }

  /** The server's certificate, made again where the kept one no longer serves. */
  serverCertificate(names: Names, nowMs: number): KeyedCertificate {
    const kept = read(this.#serverFile);
    if (kept !== undefined && this.#serves(kept, names, nowMs)) return kept;
    const issued = this.issue(names, nowMs);
    try {
      writePrivateFile(this.#serverFile, writePem(issued));
    } catch (error) {
      // Whoever trusts the authority takes this one as well as the next: it need not be kept to be used.
      if (diskRefusalOf(error) === undefined) throw error;
    }
    return issued;
  }

  issue(names: Names, nowMs: number): KeyedCertificate {
    return issueCertificate(this.#authority, names, nowMs);
  }

  #serves({ certificate }: KeyedCertificate, names: Names, nowMs: number): boolean {
    const { certificate: issuer } = this.#authority;
    const isFresh = certificate.validToDate.getTime() - nowMs > renewBeforeMs;
    const isOurs = certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
    return isFresh && isOurs && names.every((name) => isFor(certificate, name));
  }
}

function isFor({ subjectAltName = '' }: KeyedCertificate['certificate'], name: string): boolean {
  const entries = subjectAltName.split(', ').map((entry) => entry.slice(entry.indexOf(':') + 1));
  return entries.some((entry) => sameName(entry, name));
}

/** Addresses of version 6 are shown in another form than they are usually written in. */
function sameName(left: string, right: string): boolean {
  const canonical = (name: string): string =>
    name.includes(':') ? (URL.parse(`http://[${name}]`)?.hostname ?? name) : name.toLowerCase();
  return canonical(left) === canonical(right);
}

function read(file: string): KeyedCertificate | undefined {
  let pem: string;
  try {
    pem = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return readPem(pem);
  } catch (error) {
    const reason = (error as Error).message;
    throw new DamagedCertificateError(`${file} is damaged (${reason}): delete it to have another made`, {
      cause: error,
    });
  }
}

class DamagedCertificateError extends Error {
  override readonly name = 'DamagedCertificateError';
  readonly code = 'CERTIFICATE_DAMAGED';
}
