/**
 * The text of a Worker's function contains the original names of globals: a page with `(${fn.toString()})()` runs in a
 * browser, which does not know the names that the build has replaced them by (`global-names.ts`).
 *
 * `Function.prototype.toString` is the same for all code of a process. For any other function, for itself and for
 * values that are not functions, it returns the engine's result.
 */
import { globalPrefix } from './global-names.ts';

const { apply } = Reflect;
const { includes, replaceAll } = String.prototype;
const { toString: nativeToString } = Function.prototype;

/**
 * The bundler calls a global as `(0, prefix.fetch)(url)`, so that it does not get the object as `this`. After a word or
 * a bracket the parentheses may belong to a call (`of(0, fetch)(…)`), or be the only separator after the word: they are
 * kept.
 */
const called = new RegExp(
  `(?<![\\w$)\\]}.'"\`])\\(0, ?${RegExp.escape(globalPrefix)}([\\w$]+)\\)(?=\\(|\\?\\.|\`)`,
  'g',
);

const { toString: authoredToString } = {
  toString(this: unknown): string {
    const text = apply(nativeToString, this === authoredToString ? nativeToString : this, []);
    if (!apply(includes, text, [globalPrefix])) return text;
    const uncalled = apply(replaceAll, text, [called, '$1']) as string;
    return apply(replaceAll, uncalled, [globalPrefix, '']) as string;
  },
};

let isShown = false;

/** Called before code of a Worker is loaded; a second call changes nothing. */
export function showAuthoredText(): void {
  if (isShown) return;
  isShown = true;
  // Attributes that are not given do not change, and a program that has frozen its builtins keeps them.
  Reflect.defineProperty(Function.prototype, 'toString', { value: authoredToString });
}
