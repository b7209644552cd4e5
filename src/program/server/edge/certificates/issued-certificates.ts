/**
 * Certificates of the local authority for the names of zones, issued at the first handshake and kept in memory.
 *
 * A certificate covers a name and those one level below it. So each zone needs one, which is always kept, and one more
 * for each deeper level of names. Clients choose these names, so their number is limited, and the certificate of a
 * recently used name is never evicted for another. Beyond the limit, a name gets the certificate of its zone.
 */
import type { LocalAuthority } from '#certificates';
import { CertificateContexts } from './certificate-contexts.ts';

/** Certificates are replaced long before they expire. */
const reissueMs = 30 * 86_400_000;

/** Certificates for names deeper than those of the zone's certificate. Each takes about ten KiB. */
const deepNamesMax = 1_000;
const deepNamesPerZoneMax = 50;

/** After this time without use, the certificate of such a name can be evicted. */
const unusedMs = 3_600_000;

interface Issued {
  readonly zoneName: string;
  readonly issuedAtMs: number;
  usedAtMs: number;
  readonly contexts: CertificateContexts;
}

export class IssuedCertificates {
  readonly #authority: LocalAuthority;
  readonly #secret: Uint8Array | undefined;
  readonly #zones = new Map<string, Issued>();
  /** By the parent of the covered names; the least recently used first. */
  readonly #deepNames = new Map<string, Issued>();

  constructor(authority: LocalAuthority, secret: Uint8Array | undefined) {
    this.#authority = authority;
    this.#secret = secret;
  }

  find(zoneName: string, serverName: string, nowMs: number): CertificateContexts {
    const parent = serverName.slice(serverName.indexOf('.') + 1);
    const isDeep = serverName !== zoneName && parent !== zoneName;
    return (isDeep ? this.#findDeep(zoneName, parent, nowMs) : undefined) ?? this.#findZone(zoneName, nowMs);
  }

  #findZone(zoneName: string, nowMs: number): CertificateContexts {
    const known = this.#zones.get(zoneName);
    if (known !== undefined && isFresh(known, nowMs)) return known.contexts;
    const issued = this.#issue(zoneName, zoneName, nowMs);
    this.#zones.set(zoneName, issued);
    return issued.contexts;
  }

  #findDeep(zoneName: string, parent: string, nowMs: number): CertificateContexts | undefined {
    const known = this.#deepNames.get(parent);
    const isUsable = known !== undefined && known.zoneName === zoneName && isFresh(known, nowMs);
    if (known !== undefined) this.#deepNames.delete(parent);
    else if (!this.#makeRoom(zoneName, nowMs)) return undefined;
    const issued = isUsable ? known : this.#issue(zoneName, parent, nowMs);
    issued.usedAtMs = nowMs;
    this.#deepNames.set(parent, issued);
    return issued.contexts;
  }

  #makeRoom(zoneName: string, nowMs: number): boolean {
    let ofZone = 0;
    for (const issued of this.#deepNames.values()) if (issued.zoneName === zoneName) ofZone++;
    const isZoneFull = ofZone >= deepNamesPerZoneMax;
    if (!isZoneFull && this.#deepNames.size < deepNamesMax) return true;
    for (const [name, issued] of this.#deepNames) {
      // Later entries were used more recently.
      if (nowMs - issued.usedAtMs < unusedMs) return false;
      if (isZoneFull && issued.zoneName !== zoneName) continue;
      this.#deepNames.delete(name);
      return true;
    }
    return false;
  }

  #issue(zoneName: string, name: string, nowMs: number): Issued {
    const { certificate, privateKey } = this.#authority.issue([name, `*.${name}`], nowMs);
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
    const contexts = new CertificateContexts({ cert: certificate.toString(), key }, this.#secret, nowMs);
    return { zoneName, issuedAtMs: nowMs, usedAtMs: nowMs, contexts };
  }
}

function isFresh({ issuedAtMs }: Issued, nowMs: number): boolean {
  return nowMs - issuedAtMs < reissueMs;
}
