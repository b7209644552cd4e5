/**
 * Replaces the rewritten globals in the engine's messages by the names in the Worker's code (`realm/global-names.ts`).
 */
import { globalPrefix } from '../realm/global-names.ts';

/** The engine's notation of a callee in messages. */
const namedCallee = new RegExp(`\\(0 , ${RegExp.escape(globalPrefix)}([\\w$.]+)\\)`, 'g');

/** A message of the engine ("crypto.nothing is not a function"), with the names that the author wrote. */
export function showAuthoredNames(text: string): string {
  return text.includes(globalPrefix) ? text.replaceAll(namedCallee, '$1').replaceAll(globalPrefix, '') : text;
}
