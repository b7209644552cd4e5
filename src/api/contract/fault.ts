/** The answer of an operation that cannot do what the caller asked: a status and coded entries, never a stack. */
import type { Code } from './code.ts';

export interface ErrorEntry {
  readonly code: number;
  readonly message: string;
  /** The place in the body that is wrong, as a JSON pointer. */
  readonly source?: { readonly pointer: string };
  /** The conflicting object. */
  readonly meta?: { readonly id: string };
  readonly error_chain?: readonly { readonly code: number; readonly message: string }[];
}

export interface Message {
  readonly code: number;
  readonly message: string;
  /** Present only where Cloudflare has it. */
  readonly type?: null;
}

export interface FaultDetails {
  /** Fills the `{name}` placeholders of the code's message. */
  readonly fill?: Readonly<Record<string, string | number>>;
  readonly pointer?: string;
  readonly id?: string;
  readonly chain?: readonly Code[];
  /** When the caller can retry. */
  readonly retryAfterSeconds?: number;
}

/** If a handler throws it, all changes of the operation are rolled back. */
export class Fault extends Error {
  readonly status: number;
  readonly entries: readonly ErrorEntry[];
  readonly messages: readonly Message[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    entries: readonly ErrorEntry[],
    messages: readonly Message[] = [],
    retryAfterSeconds?: number,
  ) {
    super(entries.map(({ code, message }) => `${code} ${message}`).join('; '));
    this.name = 'Fault';
    this.status = status;
    this.entries = entries;
    this.messages = messages;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A fault with one entry. */
export function fault(code: Code, details: FaultDetails = {}): Fault {
  return new Fault(code.status, [entryOf(code, details)], [], details.retryAfterSeconds);
}

/** One entry, for faults with several. */
export function entryOf(code: Code, { fill, pointer, id, chain }: FaultDetails = {}): ErrorEntry {
  return {
    code: code.code,
    message: filled(code, fill),
    ...(pointer === undefined ? {} : { source: { pointer } }),
    ...(id === undefined ? {} : { meta: { id } }),
    ...(chain === undefined
      ? {}
      : { error_chain: chain.map((link) => ({ code: link.code, message: link.message })) }),
  };
}

function filled(code: Code, fill: FaultDetails['fill'] = {}): string {
  return code.message.replace(/\{(\w+)\}/g, (place, name: string) => String(fill[name] ?? place));
}
