/** The errors of a bucket. Clients look for the code in the message, so texts and codes are those of R2. */
import { toRefusal } from '../refusal.ts';

const failures = {
  tooLarge: [100100, 'Your proposed upload exceeds the maximum allowed object size.'],
  internal: [10001, 'We encountered an internal error. Please try again.'],
  noSuchKey: [10007, 'The specified key does not exist.'],
  partTooSmall: [10011, 'Your proposed upload is smaller than the minimum allowed object size.'],
  metadataTooLarge: [10012, 'Your metadata headers exceed the maximum allowed metadata size.'],
  invalidName: [10020, 'The specified object name is not valid.'],
  invalidLimit: [10022, 'MaxKeys params must be positive integer <= 1000.'],
  noSuchUpload: [10024, 'The specified multipart upload does not exist.'],
  invalidPart: [10025, 'One or more of the specified parts could not be found.'],
  tooManyKeys: [10029, 'At most 1000 keys can be deleted in one call.'],
  badDigest: [10037, ''],
  invalidRange: [10039, 'The requested range is not satisfiable'],
  badUpload: [10048, 'There was a problem with the multipart upload.'],
} as const;

export class R2Failure extends Error {
  readonly code: number;

  constructor(kind: keyof typeof failures, text?: string) {
    const [code, standard] = failures[kind];
    super(text ?? standard);
    this.code = code;
  }
}

/** A failure sent as data from the bucket to its caller, besides results. */
export type BucketReply<T> =
  | { readonly result: T }
  | { readonly failure: { readonly text: string; readonly code: number } };

export async function toBucketReply<T>(work: () => T | Promise<T>): Promise<BucketReply<T>> {
  try {
    return { result: await work() };
  } catch (error) {
    if (!(error instanceof R2Failure)) throw error;
    return { failure: { text: error.message, code: error.code } };
  }
}

/** Returns the result, or throws the error that a Worker's code sees. */
export function fromBucketReply<T>(operation: string, outcome: BucketReply<T>): T {
  if ('result' in outcome) return outcome.result;
  const { text, code } = outcome.failure;
  throw toRefusal(new Error(`${operation}: ${text} (${code})`));
}
