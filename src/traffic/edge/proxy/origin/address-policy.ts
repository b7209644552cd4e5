/**
 * Decides which addresses the edge may connect to. The checked addresses are the ones that are then connected to, so a
 * name that resolves differently a moment later gains nothing.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import {
  checkEndpoint,
  chooseAddresses,
  type ForbiddenEndpoint,
  normaliseHost,
  ObstacleError,
  obstacleTexts,
  OriginRules,
} from '#outbound';
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
    try {
      checkEndpoint(this.#rules, name, port);
      const found = isIP(name) === 0 ? await this.#resolve(name) : [name];
      return chooseAddresses(this.#rules, found, { host: name, port });
    } catch (error) {
      if (!(error instanceof ObstacleError))
        return new Refusal('origin_unresolved', 'The name of the origin could not be resolved.');
      const { address, obstacle } = error;
      return new Refusal(
        'origin_forbidden',
        'The origin has an address to which connections are not allowed.',
        { text: `${address} ${obstacleTexts[obstacle]}`, isPrivateOrigin: obstacle === 'private' },
      );
    }
  }
}

async function resolveBySystem(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}
