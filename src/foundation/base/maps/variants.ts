/**
 * Things that differ from another one by a choice, one object for each choice: for what is found by the object, such as the
 * connections to an origin. They go with the thing that they were made of, so there must not be many choices.
 *
 * ```ts
 * const routed = new Variants<Origin>();
 * routed.find(origin, { port: 8443 }, () => ({ ...origin, port: 8443 }));
 * ```
 */
export class Variants<Thing extends object> {
  readonly #known = new WeakMap<Thing, Map<string, Thing>>();

  /** `create` is called for a choice that was not made before. */
  find(thing: Thing, choice: object, create: () => Thing): Thing {
    let known = this.#known.get(thing);
    if (known === undefined) this.#known.set(thing, (known = new Map()));
    const key = JSON.stringify(choice);
    let variant = known.get(key);
    if (variant === undefined) known.set(key, (variant = create()));
    return variant;
  }
}
