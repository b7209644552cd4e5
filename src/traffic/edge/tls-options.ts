/** Selects the certificates that the edge presents for names, and the names for which it offers HTTP/2. */
import type { SecureContext } from 'node:tls';
import type { ConfiguredCertificate } from '#firewall';
import { findAcmeProof } from './zones/acme-proofs.ts';
import type { EdgeZone } from './zones/edge-zone.ts';
import type { TlsChoice } from './zones/tls-choice.ts';
import type { ZoneTable } from './zones/zone-table.ts';
import type { MaybePromise, TlsOptions } from './proxy/serve-proxy.ts';

export interface Certificates {
  /**
   * The certificate of a name that the zone serves, perhaps one that was uploaded for the zone. Undefined aborts the
   * handshake.
   */
  readonly certificateOf?:
    | ((
        zoneName: string,
        serverName: string,
        uploaded: readonly ConfiguredCertificate[],
        choice?: TlsChoice,
      ) => SecureContext | undefined)
    | undefined;
  /** The certificate that contains the proof of a name, a digest, for a certificate authority (tls-alpn-01). */
  readonly proofOf?: ((serverName: string, digest: string) => SecureContext) | undefined;
}

export function createTlsOptions(zones: ZoneTable, { certificateOf, proofOf }: Certificates): TlsOptions {
  return {
    certificateFor(serverName: string | undefined): MaybePromise<SecureContext | undefined> {
      const name = serverName?.toLowerCase();
      const zone = name === undefined ? undefined : zones.find(name);
      if (zone === undefined) return undefined;
      const choose = (loaded: EdgeZone): SecureContext | undefined =>
        certificateOf?.(zone.name, name!, loaded.rules.configuration.certificates ?? [], loaded.tls);
      const loaded = zones.use(zone.id);
      // Until the zone is loaded, its uploaded certificates are unknown.
      return loaded === undefined
        ? zones.load(zone.id).then((found) => found && choose(found))
        : choose(loaded);
    },
    async proofFor(serverName: string | undefined): Promise<SecureContext | undefined> {
      const name = serverName?.toLowerCase();
      const digest = name === undefined ? undefined : await findAcmeProof(zones, name);
      return digest === undefined ? undefined : proofOf?.(name!, digest);
    },
    // The zone is loaded by now: its certificate was chosen first.
    hasHttp2(serverName: string | undefined): boolean {
      const zone = serverName === undefined ? undefined : zones.find(serverName.toLowerCase());
      return zone === undefined || zones.use(zone.id)?.serving.settings.http2 !== 'off';
    },
  };
}
