/** The load balancers of a zone, by the host names they serve. */
import type { ConfiguredLoadBalancer } from '#firewall';
import { Balancer } from './balancer.ts';

export class Balancers {
  readonly #names = new Map<string, Balancer>();
  /** By the part of the name after the star. */
  readonly #endings = new Map<string, Balancer>();

  constructor(configured: readonly ConfiguredLoadBalancer[]) {
    for (const each of configured) {
      if (each.name.startsWith('*')) this.#endings.set(each.name.slice(1), new Balancer(each));
      else this.#names.set(each.name, new Balancer(each));
    }
  }

  /** An exact name has precedence over a star, and a longer suffix over a shorter one. */
  find(host: string): Balancer | undefined {
    const whole = this.#names.get(host);
    if (whole !== undefined || this.#endings.size === 0) return whole;
    for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) {
      const found = this.#endings.get(host.slice(dot));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
