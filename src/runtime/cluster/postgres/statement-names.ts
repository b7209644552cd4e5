/**
 * The names under which statements are prepared on the server. A pooler in transaction mode gives each transaction
 * another connection; if it does not keep prepared statements, the server reports that none of that name exists, or
 * that one exists already. Then statements are parsed each time from then on, on all connections to that database.
 *
 * A name contains a digest of the text, so a statement that another version of the program has prepared on a shared
 * connection is never run instead.
 */
import { createHash } from 'node:crypto';

export class StatementNames {
  readonly #onLost: () => void;
  readonly #known = new Map<string, { readonly text: string; readonly unique: string }>();
  #areKept = true;

  /** `onLost` is called once, when names turn out not to work. */
  constructor(onLost: () => void = () => {}) {
    this.#onLost = onLost;
  }

  /** The name to prepare a statement under; undefined if it must be parsed each time. */
  nameOf({ name, text }: { readonly name?: string; readonly text: string }): string | undefined {
    if (name === undefined || !this.#areKept) return undefined;
    const known = this.#known.get(name);
    if (known?.text === text) return known.unique;
    const unique = `${name}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
    this.#known.set(name, { text, unique });
    return unique;
  }

  lose(): void {
    if (!this.#areKept) return;
    this.#areKept = false;
    this.#onLost();
  }
}
