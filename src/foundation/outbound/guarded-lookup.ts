/** The addresses that this program may connect to when a user names them, checked when the name is resolved. */
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { normaliseHost, type OriginObstacle, type OriginRules } from './origin-rules.ts';

export const obstacleSentences: Readonly<Record<OriginObstacle, string>> = {
  private: 'This address is on a private network: start the server with --allow-private-origins true.',
  metadata: 'This is a cloud metadata service, which cannot be an origin.',
  unassigned: 'This address cannot belong to a host.',
  'own listener': 'This is the server itself.',
};

export class ObstacleError extends Error {
  override readonly name = 'ObstacleError';
  readonly obstacle: OriginObstacle;

  constructor(obstacle: OriginObstacle) {
    super(obstacleSentences[obstacle]);
    this.obstacle = obstacle;
  }
}

/** Throws if the host itself shows that it may not be connected to. */
export function checkEndpoint(rules: OriginRules, host: string, port: number): void {
  const obstacle = rules.findObstacle(normaliseHost(host), port);
  if (obstacle !== undefined) throw new ObstacleError(obstacle);
}

/** Returns the addresses of a name that may be connected to. */
export function lookUpAllowed(rules: OriginRules, port: number): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const [first, ...others] = error === null ? found.map(({ address }) => address) : [];
      if (first === undefined) return callback(error, []);
      const chosen = rules.chooseAddresses([first, ...others], port);
      if (typeof chosen === 'string') return callback(new ObstacleError(chosen), []);
      const allowed = found.filter(({ address }) => chosen.includes(address));
      if (options.all === true) callback(null, allowed);
      else callback(null, allowed[0]!.address, allowed[0]!.family);
    });
}
