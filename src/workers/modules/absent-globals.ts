/** Globals of the platform that are not here: they explain themselves when they are used. */

function absentClass(name: string, scope: string): unknown {
  return class {
    static {
      Object.defineProperty(this, 'name', { value: name });
    }

    constructor() {
      throw new Error(`${name} is out of scope: Gatehouse has no ${scope}`);
    }
  };
}

function absentCaches(): unknown {
  const explain = (): never => {
    throw new Error('caches is out of scope: Gatehouse has no cache API');
  };
  return Object.defineProperty({ open: explain }, 'default', { get: explain });
}

export function explainAbsentGlobals(): void {
  const globals: Record<string, unknown> = {
    HTMLRewriter: absentClass('HTMLRewriter', 'HTML rewriting'),
    caches: absentCaches(),
  };
  for (const [name, value] of Object.entries(globals)) {
    if (name in globalThis) continue;
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }
}
