/**
 * The proof of a name that a certificate authority looks for in a TLS handshake (RFC 8737). The zone has it before the
 * authority is told to look. An edge that has not heard of it yet lets the authority wait until it has: so every process
 * of every host can be asked, and none has to acknowledge anything before.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { acmeProofMsMax } from '../limits.ts';
import type { ZoneTable } from '../zone-table.ts';

/** Undefined if the zone does not prove this name now. `name` is in lower case. */
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
