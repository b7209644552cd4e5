/**
 * The addresses that this program may connect to when a user names them. A name is resolved once, and its permitted
 * addresses are the ones that are connected to: a name that resolves differently a moment later gains nothing.
 */
import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { normaliseHost, type OriginObstacle, type OriginRules } from './origin-rules.ts';

/** After a host or "it". */
export const obstacleTexts: Readonly<Record<OriginObstacle, string>> = {
  private: 'is a private address, and allow_private_origins is off',
  metadata: 'belongs to the metadata service of a cloud',
  unassigned: 'is an address that no host can have',
  'own listener': 'is a listener of this program',
};

export class ConnectionForbiddenError extends Error {
  override readonly name = 'ConnectionForbiddenError';
  readonly code = 'CONNECTION_FORBIDDEN';
}

/** The message contains the host as it was named: the addresses of a name are for the operator only. */
export class ObstacleError extends ConnectionForbiddenError {
  readonly obstacle: OriginObstacle;
  /** The address, or the name if that is enough. */
  readonly address: string;

  constructor(obstacle: OriginObstacle, { host, address = host, port }: RefusedPlace) {
    super(`cannot connect to ${host} port ${port}: it ${obstacleTexts[obstacle]}`);
    this.obstacle = obstacle;
    this.address = address;
  }
}

interface RefusedPlace {
  readonly host: string;
  readonly address?: string;
  readonly port: number;
}

/** Throws if the host itself shows that it may not be connected to. */
export function checkEndpoint(rules: OriginRules, host: string, port: number): void {
  const obstacle = rules.findObstacle(host, port);
  if (obstacle !== undefined) throw new ObstacleError(obstacle, { host, port });
}

/** The addresses of a host that may be connected to, in the order of the resolver. Throws if there is none. */
export function chooseAddresses(
  rules: OriginRules,
  addresses: readonly string[],
  { host, port }: { readonly host: string; readonly port: number },
): readonly string[] {
  const [first, ...others] = addresses;
  if (first === undefined) throw new Error(`${host} has no address`);
  const chosen = rules.chooseAddresses([first, ...others], port);
  if (typeof chosen === 'string') throw new ObstacleError(chosen, { host, address: first, port });
  return chosen;
}

export type LookUp = (
  host: string,
  options: object,
  found: (error: Error | null, all: string | LookupAddress[], family?: number) => void,
) => void;

/** Resolves a name for `net.connect`; `choose` returns the addresses that may be connected to, or throws. */
export function lookUpGuarded(
  choose: (addresses: readonly string[], host: string) => readonly string[],
  resolve: LookUp = lookup,
): LookupFunction {
  return (host, options, callback) =>
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error !== null && error !== undefined) return callback(error, []);
      // Functions that ignore `all` return one address.
      const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => `${address}`);
      let allowed: LookupAddress[];
      try {
        allowed = choose(addresses, host).map((address) => ({ address, family: isIP(address) }));
      } catch (refusal) {
        return callback(refusal as Error, []);
      }
      if (options.all === true) callback(null, allowed);
      else callback(null, allowed[0]!.address, allowed[0]!.family);
    });
}

export interface GuardedPlace {
  readonly host: string;
  readonly port: number;
  readonly lookup?: LookupFunction;
}

/** The place as options of `net.connect` and of requests: an address is checked now, a name when it is resolved. */
export function guardPlace(rules: OriginRules, named: string, port: number): GuardedPlace {
  const host = normaliseHost(named);
  checkEndpoint(rules, host, port);
  if (isIP(host) !== 0) return { host, port };
  return {
    host,
    port,
    lookup: lookUpGuarded((addresses) => chooseAddresses(rules, addresses, { host, port })),
  };
}
