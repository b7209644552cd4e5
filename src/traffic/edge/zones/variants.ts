/**
 * Variants of an object that differ by a choice, one object for each choice: for data that is keyed by object identity,
 * such as the connections to an origin. They live as long as the original, so there must not be many choices.
 *
 * ```ts
 * const routed = new Variants<Origin>();
 * routed.find(origin, { port: 8443 }, () => ({ ...origin, port: 8443 }));
 * ```
 */
export class Variants<Thing extends object> {
  readonly #known = new WeakMap<Thing, Map<string, Thing>>();

  /** `create` is called for a choice that is not cached. */
  find(thing: Thing, choice: object, create: () => Thing): Thing {
    let known = this.#known.get(thing);
    if (known === undefined) this.#known.set(thing, (known = new Map()));
    const key = JSON.stringify(choice);
    let variant = known.get(key);
    if (variant === undefined) known.set(key, (variant = create()));
    return variant;
  }
}
