/**
 * The time in which the modules of a Worker run for the first time, when operations that belong to a request are
 * forbidden.
 */

/** With workerd's message: programs and their tests know it. */
function createGlobalScopeError(): Error {
  return new Error(
    'Disallowed operation called within global scope. Asynchronous I/O (ex: fetch() or connect()), setting a timeout, and ' +
      'generating random values are not allowed within global scope. To fix this error, perform this operation within a ' +
      'handler. https://developers.cloudflare.com/workers/runtime-apis/handlers/',
  );
}

type AnyFunction = (...args: never[]) => unknown;

export class GlobalScope {
  #isLeft = false;

  /** Called when the modules have run. */
  leave(): void {
    this.#isLeft = true;
  }

  get isLeft(): boolean {
    return this.#isLeft;
  }

  /** Throws until the modules have run. */
  check(): void {
    if (!this.#isLeft) throw createGlobalScopeError();
  }

  /** The function that `read` returns, refused until the modules have run: code may store it and call it later. */
  guard(read: () => AnyFunction, { rejects }: { readonly rejects: boolean }): AnyFunction {
    const check = (): void => this.check();
    if (rejects)
      return async function guarded(this: unknown, ...args) {
        check();
        return await Reflect.apply(read(), this, args);
      };
    return new Proxy(read(), {
      apply(_target, self, args) {
        check();
        return Reflect.apply(read(), self, args) as unknown;
      },
      construct(_target, args, newTarget) {
        check();
        return Reflect.construct(read(), args, newTarget) as object;
      },
    });
  }
}
