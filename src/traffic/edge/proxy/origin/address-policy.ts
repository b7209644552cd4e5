/**
 * Decides which addresses the edge may connect to. The checked addresses are the ones that are then connected to, so a
 * name that resolves differently a moment later gains nothing.
 */
import { lookup } from 'node:dns/promises';
import { parseIp } from '#base';
import { type ForbiddenEndpoint, normaliseHost, type OriginObstacle, OriginRules } from '#outbound';
import { Refusal } from '../../wire/refusal.ts';

export interface AddressPolicyOptions {
  readonly allowPrivate?: boolean;
  readonly forbidden?: readonly ForbiddenEndpoint[];
  /** Resolves a name; the system's resolver by default. */
  readonly resolve?: (name: string) => Promise<readonly string[]>;
}

export class AddressPolicy {
  readonly #rules: OriginRules;
  readonly #resolve: (name: string) => Promise<readonly string[]>;

  constructor({ resolve = resolveBySystem, ...rules }: AddressPolicyOptions = {}) {
    this.#rules = new OriginRules(rules);
    this.#resolve = resolve;
  }

  forbid(endpoint: ForbiddenEndpoint): void {
    this.#rules.forbid(endpoint);
  }

  /** The permitted addresses of the name, in the resolver's order; at least one. */
  async findAddresses(host: string, port: number): Promise<readonly string[] | Refusal> {
    const name = normaliseHost(host);
    if (this.#rules.findObstacle(name, port) === 'metadata') return createForbidden([name, 'metadata']);
    const literal = parseIp(name);
    let found: readonly string[];
    try {
      found = literal === undefined ? await this.#resolve(name) : [name];
    } catch {
      return new Refusal('origin_unresolved', 'The name of the origin could not be resolved.');
    }
    const [first, ...others] = found;
    if (first === undefined)
      return new Refusal('origin_unresolved', 'The name of the origin has no address.');
    const chosen = this.#rules.chooseAddresses([first, ...others], port);
    return typeof chosen === 'string' ? createForbidden([first, chosen]) : chosen;
  }
}

const obstacleTexts: Readonly<Record<OriginObstacle, string>> = {
  private: 'is a private address',
  metadata: 'belongs to the metadata service of a cloud',
  unassigned: 'is an address that no host can have',
  'own listener': 'is a listener of this program',
};

function createForbidden([address, obstacle]: readonly [string, OriginObstacle]): Refusal {
  return new Refusal('origin_forbidden', 'The origin has an address to which connections are not allowed.', {
    text: `${address} ${obstacleTexts[obstacle]}`,
    isPrivateOrigin: obstacle === 'private',
  });
}

async function resolveBySystem(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
