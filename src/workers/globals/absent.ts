/** Globals of the platform that are not here: they explain themselves when they are used. */

/** Where users find what there is and what is not. */
const page = 'docs/objects.md, "Workers APIs"';

function absentClass(name: string, what: string): unknown {
  return class {
    static {
      Object.defineProperty(this, 'name', { value: name });
    }

    constructor() {
      throw new Error(`${name} is not available: Gatehouse has no ${what}; see ${page}`);
    }
  };
}

export const absentGlobals: Readonly<Record<string, unknown>> = {
  HTMLRewriter: absentClass('HTMLRewriter', 'HTML rewriting'),
};
