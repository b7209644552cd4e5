/**
 * The text of a function of a Worker names globals as its author did: a page that holds `(${fn.toString()})()` runs in a
 * browser, which does not know what the build has made of them (`global-names.ts`).
 *
 * `Function.prototype.toString` is the same for all code of a process. What it says of any other function, of itself
 * and of what is not a function stays what the engine says.
 */
import { globalPrefix } from './global-names.ts';

const { apply } = Reflect;
const { includes, replaceAll } = String.prototype;
const { toString: nativeToString } = Function.prototype;

/**
 * The bundler calls a global as `(0, prefix.fetch)(url)`, so that it does not get the object as `this`. After a word or a
 * bracket the parentheses may be those of a call (`of(0, fetch)(…)`), or all that separates it from the word: they stay.
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
  // An attribute that is not named stays, and a program that has frozen its builtins keeps what it has.
  Reflect.defineProperty(Function.prototype, 'toString', { value: authoredToString });
}
