/**
 * The parts of a loaded Worker that its module `cloudflare:workers` and its objects share: the same objects for all
 * versions of its code, which refill them.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { BackgroundWork } from './background.ts';
import { forgetPlatform, keepPlatform, type PlatformModule } from './modules/platform-registry.ts';

interface Ambient {
  readonly env: object;
  readonly exports: object;
}

let idLast = 0;

export class Platform implements Disposable {
  readonly id = String(++idLast);
  readonly env: Record<string, unknown> = {};
  /** The namespace of each class and the stub of each entry point, by export name. */
  readonly exports: Record<string, unknown>;
  readonly module: PlatformModule;
  readonly background: BackgroundWork;

  constructor(background: BackgroundWork, exports: Record<string, unknown> = {}) {
    this.background = background;
    this.exports = exports;
    this.module = createModule(this);
    keepPlatform(this.id, this);
  }

  /** Replaces the contents. */
  refill({ env, exports }: Ambient): void {
    for (const target of [this.env, this.exports]) {
      for (const key of Reflect.ownKeys(target)) Reflect.deleteProperty(target, key);
    }
    Object.defineProperties(this.env, Object.getOwnPropertyDescriptors(env));
    Object.defineProperties(this.exports, Object.getOwnPropertyDescriptors(exports));
  }

  [Symbol.dispose](): void {
    forgetPlatform(this.id);
  }
}

/** `env` and `exports` as modules import them: those of the Worker, or a caller's temporary replacements. */
function createModule(platform: Platform): PlatformModule {
  const chosen = new AsyncLocalStorage<Ambient>();
  const current = (): Ambient => chosen.getStore() ?? platform;
  return {
    env: createView(() => current().env),
    exports: createView(() => current().exports),
    waitUntil: (promise) => platform.background.add(promise),
    withEnv: (env, body) => chosen.run({ env, exports: current().exports }, body),
    withExports: (exports, body) => chosen.run({ env: current().env, exports }, body),
    withEnvAndExports: (env, exports, body) => chosen.run({ env, exports }, body),
  };
}

/** An object that shows the properties of the current target. */
function createView(target: () => object): Record<string, unknown> {
  return new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_target, key) => Reflect.get(target(), key),
      set: (_target, key, value) => Reflect.set(target(), key, value),
      has: (_target, key) => Reflect.has(target(), key),
      ownKeys: () => Reflect.ownKeys(target()),
      deleteProperty: (_target, key) => Reflect.deleteProperty(target(), key),
      defineProperty: (_target, key, attributes) => Reflect.defineProperty(target(), key, attributes),
      getOwnPropertyDescriptor: (_target, key) => {
        const descriptor = Reflect.getOwnPropertyDescriptor(target(), key);
        // Properties must be configurable, because the view itself does not have them, and those of the target come and
        // go.
        return descriptor === undefined ? undefined : { ...descriptor, configurable: true };
      },
    },
  );
}
