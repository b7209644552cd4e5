/** The meaning of SecLang variables, for the ledger of a score. */
import type { PartKind } from '#request';
import type { JudgedPlace } from './judged.ts';

/** The kinds of the named parts, by the name of the variable without `_NAMES`. */
const kinds: ReadonlyMap<string, PartKind> = new Map([
  ['ARGS', 'argument'],
  ['ARGS_GET', 'argument'],
  ['ARGS_POST', 'form field'],
  ['REQUEST_COOKIES', 'cookie'],
  ['REQUEST_HEADERS', 'header'],
  ['FILES', 'multipart field'],
]);

/**
 * The part of the request that a variable refers to, by its name alone; undefined if it refers to no named part. `ARGS`
 * are those of the query and of the body. A count (`&ARGS`) is not a part.
 */
export function readVariable(variable: string): JudgedPlace | undefined {
  const [, collection = '', name = ''] = /^([A-Z_]+)(?::([^]*))?$/.exec(variable) ?? [];
  if (collection === 'REQUEST_FILENAME' || collection === 'REQUEST_BASENAME')
    return { kind: 'path', name: '' };
  const kind = kinds.get(collection.replace(/_NAMES$/, ''));
  return kind && { kind, name };
}

/** Whether the value is text from the application. */
export function isOfResponse(variable: string): boolean {
  return variable.startsWith('RESPONSE_BODY') || variable.startsWith('RESPONSE_HEADERS:');
}
