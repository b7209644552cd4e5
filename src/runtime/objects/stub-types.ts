/** The type of a class behind a stub: every method returns a promise on which further calls can be made. */
import type { DurableObjectId } from './ids.ts';

type Reserved =
  | 'fetch'
  | 'connect'
  | 'alarm'
  | 'webSocketMessage'
  | 'webSocketClose'
  | 'webSocketError'
  | 'dup';

type IsAny<T> = 0 extends 1 & T ? true : false;

/** What can be called on an answer before it arrives. */
type Pipelined<T> = T extends string | number | boolean | bigint | symbol | null | undefined | void
  ? unknown
  : { readonly [K in keyof T]: Remote<T[K]> };

type PipelinedPromise<T> = Promise<T> & Pipelined<T>;

type Remote<M> = M extends (...args: infer Args) => infer Result
  ? (...args: Args) => PipelinedPromise<Awaited<Result>>
  : PipelinedPromise<Awaited<M>>;

interface StubFace {
  readonly id: DurableObjectId;
  readonly name?: string;
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
}

/** Any name can be called on a stub of an unknown class. */
// oxlint-disable-next-line typescript/no-explicit-any
type Untyped = any;

export type DurableObjectStub<T = Untyped> =
  IsAny<T> extends true ? Untyped : StubFace & { readonly [K in Exclude<keyof T, Reserved>]: Remote<T[K]> };
