/** Which host has an object. Ids are random or keyed hashes of names: their first bytes are evenly distributed. */
export function placeObject(idHex: string, hosts: number): number {
  return Number.parseInt(idHex.slice(0, 8), 16) % hosts;
}
