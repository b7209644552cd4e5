/** Zones as people name them. */
import type { Result } from './calls.ts';
import type { Client } from './client.ts';

/** By its id or its name; undefined if the credentials see no zone of this name. Throws for an id that they do not see. */
export async function findZone(
  client: Pick<Client, 'get'>,
  zone: string,
): Promise<Result<'zones.get'> | undefined> {
  if (/^[0-9a-f]{32}$/.test(zone)) return (await client.get('/zones/{zone_id}', { zone_id: zone })).result;
  return (await client.get('/zones', { query: { name: zone } })).result[0];
}
