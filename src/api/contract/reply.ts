/** The replies of handlers on success, and the envelope around answers of both kinds. */
import type { Fault, Message } from './fault.ts';

interface PageInfo {
  readonly page: number;
  readonly per_page: number;
  readonly count: number;
  readonly total_count: number;
  readonly total_pages: number;
}

interface DoneReply<Result> {
  readonly kind: 'done';
  readonly status: number;
  readonly result: Result;
  readonly info?: object;
  readonly messages?: readonly Message[];
}

export type Reply<Result = unknown> =
  | DoneReply<Result>
  /** The changes of the handler are kept, although the answer is a failure. */
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

/** Handlers that call several objects have no place for messages other than their reply. */
export function ok<const Result>(result: Result, messages: readonly Message[] = []): Reply<Result> {
  return { kind: 'done', status: 200, result, ...(messages.length === 0 ? {} : { messages }) };
}

export function created<const Result>(result: Result): Reply<Result> {
  return { kind: 'done', status: 201, result };
}

/** 204, without an envelope. */
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

/** A page cut from the complete list. */
export function pageOf<Item>(
  items: readonly Item[],
  query: { readonly page: number; readonly per_page: number },
): Reply<readonly Item[]> {
  const from = (query.page - 1) * query.per_page;
  return page(items.slice(from, from + query.per_page), { ...query, total: items.length });
}

/** One part of a list that is read by cursors; the last part has no cursor. */
export function cursorPage<Item>(
  items: readonly Item[],
  cursors: { readonly before?: string | undefined; readonly after?: string | undefined },
): Reply<readonly Item[]> {
  return { kind: 'done', status: 200, result: items, info: { cursors } };
}

/** A serialized answer: the body is already text, so it passes between objects as one string. */
export interface WrittenResponse {
  readonly status: number;
  readonly body: string | null;
  /** The version of the object that answered; after a write, the one that the write created. */
  readonly version?: string;
}

/** The reply of an object to another part of this program, as a value; a refusal is ready to be passed on. */
export type ObjectReply<Result = unknown> =
  | (DoneReply<Result> & { readonly version: string })
  | { readonly kind: 'refusal'; readonly refusal: WrittenResponse };

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
