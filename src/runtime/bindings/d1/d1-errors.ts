/** The errors of D1: a code before the text, and the text alone as the cause. */
export type D1ErrorCode =
  | 'D1_ERROR'
  | 'D1_EXEC_ERROR'
  | 'D1_DUMP_ERROR'
  | 'D1_TYPE_ERROR'
  | 'D1_COLUMN_NOTFOUND';

export function createD1Error(code: D1ErrorCode, text: string, cause: string = text): Error {
  return new Error(`${code}: ${text}`, { cause: new Error(cause) });
}
