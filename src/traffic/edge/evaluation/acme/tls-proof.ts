/**
 * The proof of a name that a certificate authority looks for in a TLS handshake (RFC 8737). The control plane stores
 * the proof in the zone before it asks the authority to check. An edge that has not received the proof yet delays the
 * handshake until it has, so the authority can connect to any process of any host without prior acknowledgement.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { acmeProofMsMax } from '../limits.ts';
import type { ZoneTable } from '../zone-table.ts';

/** Undefined if the zone has no proof of this name now. `name` is in lower case. */
export async function findAcmeProof(zones: ZoneTable, name: string): Promise<string | undefined> {
  const zone = zones.find(name);
  if (zone === undefined) return undefined;
  const over = new AbortController();
  const end = delay(acmeProofMsMax, undefined, { signal: over.signal, ref: false }).catch(() => {});
  try {
    for (let isOver = false; ;) {
      const changed = zones.nextChange(zone.id);
      const loaded = zones.use(zone.id) ?? (await zones.load(zone.id));
      const digest = loaded?.rules.configuration.acmeProofs?.[name];
      if (digest !== undefined || isOver) return digest;
      await Promise.race([changed, end.then(() => (isOver = true))]);
    }
  } finally {
    over.abort();
  }
}
