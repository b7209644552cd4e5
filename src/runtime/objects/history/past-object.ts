import { type SqlCursor, removeDatabase } from '#sqlite';
import { DatabaseCopy } from './database-copy.ts';

/** A read-only copy of an object's storage at one moment. */
export class PastObject implements Disposable {
  readonly #path: string;
  readonly #copy: DatabaseCopy;

  /** @internal */
  constructor(path: string) {
    this.#path = path;
    this.#copy = new DatabaseCopy(path, { mode: 'read' });
  }

  exec(query: string, ...bindings: unknown[]): SqlCursor {
    return this.#copy.exec(query, ...bindings);
  }

  get(key: string): unknown {
    return this.#copy.get(key);
  }

  list(): Map<string, unknown> {
    return new Map(this.#copy.entries());
  }

  [Symbol.dispose](): void {
    this.#copy[Symbol.dispose]();
    removeDatabase(this.#path);
  }
}
