/** `env` and `exports` as modules import them: those of the Worker, or what a caller has put in their place for a while. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { platform } from '../platform.ts';

interface Ambient {
  readonly env: object;
  readonly exports: object;
}

const chosen = new AsyncLocalStorage<Ambient>();

export const env = createView('env');
export const exports = createView('exports');

/** Runs code, and what it starts, with another `env`. */
export function withEnv<Result>(replacement: object, body: () => Result): Result {
  return withEnvAndExports(replacement, current().exports, body);
}

export function withExports<Result>(replacement: object, body: () => Result): Result {
  return withEnvAndExports(current().env, replacement, body);
}

export function withEnvAndExports<Result>(newEnv: object, newExports: object, body: () => Result): Result {
  return chosen.run({ env: newEnv, exports: newExports }, body);
}

function current(): Ambient {
  return chosen.getStore() ?? platform;
}

/** An object that shows whatever the current one has. */
function createView(name: keyof Ambient): Record<string, unknown> {
  const target = (): object => current()[name];
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
        // A property of the view itself would have to be there; those of what it shows come and go.
        return descriptor === undefined ? undefined : { ...descriptor, configurable: true };
      },
    },
  );
}
