/** The types of calls, derived from the rows of the contract. */
import type { Operation, OperationId, operations, ResultOf, storyOperations } from '#contract';
import type { Sent as SentTo, Shape } from '#shapes';
import type { ErrorEntry } from './errors.ts';

export type Method = Operation['method'];
/** The rows that a client can call. */
export type Rows = Readonly<Record<string, Operation>>;
/** The rows of the public door. */
export type PublicRows = typeof operations;
/** The rows that only `gatehouse dev` serves. */
export type DevRows = typeof storyOperations;

/** The paths that support a method. */
export type PathOf<R extends Rows, M extends Method> = Extract<R[keyof R], { readonly method: M }>['path'];
export type GetPath = PathOf<PublicRows, 'GET'>;

type RowAt<R extends Rows, M extends Method, P extends string> = Extract<
  R[keyof R],
  { readonly method: M; readonly path: P }
>;

/** `zone_id` of `/zones/{zone_id}`. */
type NamesIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

export type QueryValue = string | number | boolean | readonly string[] | undefined;

type QueryOf<O extends Operation> = keyof O['query'] extends never
  ? { readonly query?: never }
  : { readonly query?: Readonly<Partial<Record<keyof O['query'] & string, QueryValue>>> | undefined };

type BodyOf<O extends Operation> =
  O['body'] extends Shape<unknown>
    ? O['body'] extends { readonly isOptional: true }
      ? { readonly body?: SentTo<O['body']> }
      : { readonly body: SentTo<O['body']> }
    : { readonly body?: never };

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** A write is refused unless the zone or account still has this version. */
  readonly version?: string | undefined;
  /** The reason for the change, for the audit log. */
  readonly reason?: string | undefined;
  /** A body that is not JSON, such as a file. */
  readonly content?: AsyncIterable<Uint8Array> | undefined;
  /** The media type of `content`. */
  readonly contentType?: string | undefined;
  /** Called with the progress of a long operation, if the server reports it. */
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
}

export interface CallProgress {
  readonly step: string;
  readonly done: number;
  readonly total: number | undefined;
}

type Input<R extends Rows, M extends Method, P extends string> = CallOptions &
  Readonly<Record<NamesIn<P>, string>> &
  QueryOf<RowAt<R, M, P>> &
  BodyOf<RowAt<R, M, P>>;

/** The input can be omitted if none of it is required. */
export type InputArguments<R extends Rows, M extends Method, P extends string> =
  {} extends Input<R, M, P> ? [input?: Input<R, M, P>] : [input: Input<R, M, P>];

/** The input of a read of a path. */
export type GetInput<P extends GetPath> = InputArguments<PublicRows, 'GET', P>;

export interface ResultInfo {
  readonly page?: number;
  readonly per_page?: number;
  readonly count?: number;
  readonly total_count?: number;
  readonly total_pages?: number;
  readonly cursor?: string;
  readonly cursors?: { readonly after?: string; readonly before?: string };
}

/** What the server sends beside the result. */
export interface Envelope<T> {
  readonly status: number;
  readonly result: T;
  readonly messages: readonly ErrorEntry[];
  readonly result_info?: ResultInfo;
  /** Of the zone or account that answered, for the `version` of a write. */
  readonly version?: string;
}

export type ResultAt<R extends Rows, M extends Method, P extends string> = ResultOf<RowAt<R, M, P>>;

export type Answer<R extends Rows, M extends Method, P extends string> = Envelope<ResultAt<R, M, P>>;

export type ItemOf<R extends Rows, P extends string> =
  ResultAt<R, 'GET', P> extends readonly (infer Item)[] ? Item : never;

/** The result of an operation, by its id in the contract. */
export type Result<Id extends OperationId> = ResultOf<PublicRows[Id]>;

/** What a client sends as the body of an operation, by its id in the contract. */
export type Sent<Id extends OperationId> = SentTo<PublicRows[Id]['body']>;
