/** The meaning of SecLang variables, for the ledger of a score. */
import type { JudgedPlace } from './judged.ts';

/**
 * The part of the request that a variable refers to, by its name alone; undefined if it refers to no named part. `ARGS`
 * are those of the query and of the body. A count (`&ARGS`) is not a part.
 */
export function readVariable(variable: string): JudgedPlace | undefined {
  const [, kind, name = ''] = /^([A-Z_]+)(?::([^]*))?$/.exec(variable) ?? [];
  switch (kind) {
    case 'ARGS':
    case 'ARGS_GET':
    case 'ARGS_NAMES':
    case 'ARGS_GET_NAMES':
      return { kind: 'argument', name };
    case 'ARGS_POST':
    case 'ARGS_POST_NAMES':
      return { kind: 'form field', name };
    case 'REQUEST_COOKIES':
    case 'REQUEST_COOKIES_NAMES':
      return { kind: 'cookie', name };
    case 'REQUEST_HEADERS':
    case 'REQUEST_HEADERS_NAMES':
      return { kind: 'header', name };
    case 'FILES':
    case 'FILES_NAMES':
      return { kind: 'multipart field', name };
    case 'REQUEST_FILENAME':
    case 'REQUEST_BASENAME':
      return { kind: 'path', name: '' };
    default:
      return undefined;
  }
}

/** Whether the value is text from the application. */
export function isOfResponse(variable: string): boolean {
  return variable.startsWith('RESPONSE_BODY') || variable.startsWith('RESPONSE_HEADERS:');
}
