/** Finds zones by id or name. */
import type { Result } from './calls.ts';
import type { Client } from './client.ts';

/** Undefined if the credentials can see no zone of this name. Throws for an id that they cannot see. */
export async function findZone(
  client: Pick<Client, 'get'>,
  zone: string,
): Promise<Result<'zones.get'> | undefined> {
  if (/^[0-9a-f]{32}$/.test(zone)) return (await client.get('/zones/{zone_id}', { zone_id: zone })).result;
  return (await client.get('/zones', { query: { name: zone } })).result[0];
}
