/** What a handler answers with when all went well, and the envelope around answers of both kinds. */
import type { Fault, Message } from './fault.ts';

interface PageInfo {
  readonly page: number;
  readonly per_page: number;
  readonly count: number;
  readonly total_count: number;
  readonly total_pages: number;
}

export type Reply<Result = unknown> =
  | {
      readonly kind: 'done';
      readonly status: number;
      readonly result: Result;
      readonly info?: object;
      readonly messages?: readonly Message[];
    }
  /** What the handler did stays done, and yet the answer is a failure. */
  | { readonly kind: 'refused'; readonly fault: Fault };

/** An answer without the envelope: exports, streams, and what other standards define. */
export interface PlainReply {
  readonly kind: 'plain';
  readonly status: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<string | Uint8Array>;
}

export function refused(fault: Fault): Reply<never> {
  return { kind: 'refused', fault };
}

/** Handlers that ask several objects have no other place for messages than their reply. */
export function ok<const Result>(result: Result, messages: readonly Message[] = []): Reply<Result> {
  return { kind: 'done', status: 200, result, ...(messages.length === 0 ? {} : { messages }) };
}

export function created<const Result>(result: Result): Reply<Result> {
  return { kind: 'done', status: 201, result };
}

/** 204: nothing to say, not even an envelope. */
export const noContent: Reply<undefined> = { kind: 'done', status: 204, result: undefined };

/** One page of a list of `total` items. */
export function page<Item>(
  items: readonly Item[],
  {
    page: number,
    per_page,
    total,
  }: { readonly page: number; readonly per_page: number; readonly total: number },
): Reply<readonly Item[]> {
  const info: PageInfo = {
    page: number,
    per_page,
    count: items.length,
    total_count: total,
    total_pages: Math.ceil(total / per_page),
  };
  return { kind: 'done', status: 200, result: items, info };
}

/** A page cut from all the items. */
export function pageOf<Item>(
  items: readonly Item[],
  query: { readonly page: number; readonly per_page: number },
): Reply<readonly Item[]> {
  const from = (query.page - 1) * query.per_page;
  return page(items.slice(from, from + query.per_page), { ...query, total: items.length });
}

/** A piece of a list that is read by cursors; there is none where the list ends. */
export function cursorPage<Item>(
  items: readonly Item[],
  cursors: { readonly before?: string | undefined; readonly after?: string | undefined },
): Reply<readonly Item[]> {
  return { kind: 'done', status: 200, result: items, info: { cursors } };
}

/** An answer on its way out: the body is text already, so that it passes between objects as one string. */
export interface WrittenResponse {
  readonly status: number;
  readonly body: string | null;
  /** Of the object that answered: after a write, the one that the write made. */
  readonly version?: string;
}

export function writeReply(reply: Reply, added: readonly Message[]): WrittenResponse {
  if (reply.kind === 'refused') return writeFault(reply.fault);
  const { status, result, info } = reply;
  const messages = [...(reply.messages ?? []), ...added];
  if (status === 204) return { status, body: null };
  const envelope = { result, success: true, errors: [], messages };
  return { status, body: JSON.stringify(info === undefined ? envelope : { ...envelope, result_info: info }) };
}

export function writeFault({ status, entries, messages }: Fault): WrittenResponse {
  return { status, body: JSON.stringify({ result: null, success: false, errors: entries, messages }) };
}
