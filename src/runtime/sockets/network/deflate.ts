/**
 * Compression of messages (`permessage-deflate`), each separately: no window is kept from one to the next, so an idle
 * connection costs nothing. The loss in compression is small for messages that are worth compressing.
 */
import { constants, deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import { compressInlineBytesMax, messageBytesMax } from '../limits.ts';
import { deflateName, type ExtensionOffers, type FrameCompressor, parseExtensionHeader } from './framing.ts';

/** Ends each compressed message, and is omitted on the wire. */
const trailer = Buffer.from([0, 0, 0xff, 0xff]);
const inflateOptions = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: messageBytesMax };

export interface Negotiated {
  readonly deflate: MessageDeflate;
  /** The value of the header that announces it. */
  readonly header: string;
}

class MessageDeflate implements FrameCompressor {
  readonly params = {};
  readonly #options: { readonly finishFlush: number; readonly windowBits: number };
  #parts: Buffer[] = [];

  constructor(windowBits: number) {
    this.#options = { finishFlush: constants.Z_SYNC_FLUSH, windowBits };
  }

  compress(
    data: string | Uint8Array,
    _isLast: boolean,
    done: (error: Error | null, result: Buffer) => void,
  ): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    const finish = (result: Buffer): void => done(null, result.subarray(0, result.length - trailer.length));
    if (bytes.length <= compressInlineBytesMax) return finish(deflateRawSync(bytes, this.#options));
    deflateRaw(bytes, this.#options, (error, result) => {
      if (error !== null) throw error;
      finish(result);
    });
  }

  /** The pieces of a message are expanded together, once the last one has arrived. */
  decompress(data: Buffer, isLast: boolean, done: (error: Error | null, result?: Buffer) => void): void {
    this.#parts.push(data);
    // Never synchronously: `ws` continues reading in the callback, and would do so twice.
    if (!isLast) return process.nextTick(done, null, Buffer.alloc(0));
    const bytes = Buffer.concat([...this.#parts, trailer]);
    this.#parts = [];
    if (bytes.length > compressInlineBytesMax) {
      inflateRaw(bytes, inflateOptions, (error, result) => done(error, result));
      return;
    }
    try {
      process.nextTick(done, null, inflateRawSync(bytes, inflateOptions));
    } catch (error) {
      process.nextTick(done, error);
    }
  }
}

/** Accepts the first offer of a client that can be satisfied; undefined if there is none. */
export function acceptOffer(header: string | undefined): Negotiated | undefined {
  for (const offer of parseExtensions(header)[deflateName] ?? []) {
    const windowBits = Number(offer['server_max_window_bits']?.[0] ?? 15);
    // zlib has no window of 8 bits.
    if (!(windowBits >= 9 && windowBits <= 15)) continue;
    const clientBits = offer['client_max_window_bits']?.[0];
    const parts = [
      deflateName,
      'server_no_context_takeover',
      'client_no_context_takeover',
      ...(offer['server_max_window_bits'] === undefined ? [] : [`server_max_window_bits=${windowBits}`]),
      ...(clientBits === undefined
        ? []
        : [`client_max_window_bits=${clientBits === true ? 15 : clientBits}`]),
    ];
    return { deflate: new MessageDeflate(windowBits), header: parts.join('; ') };
  }
  return undefined;
}

/** The offer of a client socket. */
export const offeredExtension = `${deflateName}; server_no_context_takeover; client_no_context_takeover; client_max_window_bits`;

/** Parses a server's answer to the offer; an error if it contains something that was not offered. */
export function readAnswer(header: string | undefined): Negotiated | undefined {
  if (header === undefined || header === '') return undefined;
  const { [deflateName]: answers, ...others } = parseExtensions(header);
  const answer = answers?.[0];
  const clientBits = Number(answer?.['client_max_window_bits']?.[0] ?? 15);
  const isMet =
    answers?.length === 1 &&
    Object.keys(others).length === 0 &&
    answer?.['server_no_context_takeover'] !== undefined &&
    clientBits >= 9 &&
    clientBits <= 15;
  if (!isMet) throw new Error(`the server chose an extension that was not offered: ${header}`);
  return { deflate: new MessageDeflate(clientBits), header };
}

function parseExtensions(header: string | undefined): ExtensionOffers {
  try {
    return header === undefined ? {} : parseExtensionHeader(header);
  } catch {
    return {};
  }
}
