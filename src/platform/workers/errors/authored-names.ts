/** Messages of the engine about the code of a Worker name globals as its author did (`realm/global-names.ts`). */
import { globalPrefix } from '../realm/global-names.ts';

/** As the engine names a callee in what it says of it. */
const namedCallee = new RegExp(`\\(0 , ${RegExp.escape(globalPrefix)}([\\w$.]+)\\)`, 'g');

/** What the engine says of code ("crypto.nothing is not a function"), with the names that its author wrote. */
export function showAuthoredNames(text: string): string {
  return text.includes(globalPrefix) ? text.replaceAll(namedCallee, '$1').replaceAll(globalPrefix, '') : text;
}
