/** Which host has an object. Ids are random, or derived from a name by a keyed hash: their first bytes are even enough. */
export function placeObject(idHex: string, hosts: number): number {
  return Number.parseInt(idHex.slice(0, 8), 16) % hosts;
}
