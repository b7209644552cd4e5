/** Which certificates the edge shows for which names, and for which of them it offers HTTP/2. */
import type { SecureContext } from 'node:tls';
import type { EdgeOptions } from './edge.ts';
import { findAcmeProof } from './evaluation/acme/tls-proof.ts';
import type { EdgeZone } from './evaluation/edge-zone.ts';
import type { ZoneTable } from './evaluation/zone-table.ts';
import type { MaybePromise, TlsOptions } from './proxy/serve-proxy.ts';

export function createTlsOptions(
  zones: ZoneTable,
  { certificateOf, proofOf }: Pick<EdgeOptions, 'certificateOf' | 'proofOf'>,
): TlsOptions {
  return {
    certificateFor(serverName: string | undefined): MaybePromise<SecureContext | undefined> {
      const name = serverName?.toLowerCase();
      const zone = name === undefined ? undefined : zones.find(name);
      if (zone === undefined) return undefined;
      const choose = (loaded: EdgeZone): SecureContext | undefined =>
        certificateOf?.(zone.name, name!, loaded.rules.configuration.certificates ?? [], loaded.tls);
      const loaded = zones.use(zone.id);
      // Without its configuration, it is unknown which certificates were uploaded.
      return loaded === undefined
        ? zones.load(zone.id).then((found) => found && choose(found))
        : choose(loaded);
    },
    async proofFor(serverName: string | undefined): Promise<SecureContext | undefined> {
      const name = serverName?.toLowerCase();
      const digest = name === undefined ? undefined : await findAcmeProof(zones, name);
      return digest === undefined ? undefined : proofOf?.(name!, digest);
    },
    // A zone is loaded by now: its certificate was chosen first.
    hasHttp2(serverName: string | undefined): boolean {
      const zone = serverName === undefined ? undefined : zones.find(serverName.toLowerCase());
      return zone === undefined || zones.use(zone.id)?.serving.settings.http2 !== 'off';
    },
  };
}
