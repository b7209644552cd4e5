/**
 * Chooses the host on which to place an object that no host has: of two hosts chosen at random, the one with fewer
 * objects. Loads are known only as of the last beat, so with the least loaded host all hosts would choose the same one
 * until the next beat: a host that has just started, or the emptiest after another has died, would get every object at
 * once (docs/operate/cluster.md shows both). On a tie the first is taken.
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
