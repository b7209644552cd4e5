/**
 * Chooses where an object is placed that no host has: of two hosts taken at random, the one with fewer objects. Loads are
 * known as of the last beat, so choosing the host with the fewest of all would make all hosts choose the same one until the
 * next beat: a host that has just started, or the emptiest when another has died, would get everything at once
 * (docs/operate/cluster.md shows both). On a tie the first is taken.
 */
export function chooseHost<Host extends { readonly load: number }>(
  hosts: readonly Host[],
  random: () => number = Math.random,
): Host | undefined {
  if (hosts.length <= 1) return hosts[0];
  const one = Math.floor(random() * hosts.length);
  const step = 1 + Math.floor(random() * (hosts.length - 1));
  const two = (one + step) % hosts.length;
  const [first, second] = one < two ? [hosts[one]!, hosts[two]!] : [hosts[two]!, hosts[one]!];
  return second.load < first.load ? second : first;
}
