/** Reassembles blocks of header fields, which may be split over several frames, and decodes them. */
import { ConnectionError } from '../connection-error.ts';
import { frameHeadBytes } from './frame-types.ts';
import { HeaderDecoder, type HeaderList } from '../hpack/header-decoder.ts';
import type { Http2Limits } from '../limits.ts';
import type { ParsedFrame } from './parse-frame.ts';

export interface HeaderBlock {
  readonly streamId: number;
  readonly list: HeaderList;
  /** Whether the block ends the stream. */
  readonly isEnd: boolean;
  /** Bytes on the wire, including frame heads. */
  readonly receivedBytes: number;
}

interface OpenBlock {
  readonly streamId: number;
  readonly isEnd: boolean;
  readonly fragments: Buffer[];
  bytes: number;
}

/** The table for the client's fields has the default size, which need not be announced. */
const tableBytes = 4_096;

export class HeaderBlocks {
  readonly #limits: Http2Limits;
  readonly #decoder: HeaderDecoder;
  #open: OpenBlock | undefined;

  constructor(limits: Http2Limits) {
    this.#limits = limits;
    const { headerListBytesMax: listBytesMax, headerCountMax: fieldCountMax } = limits;
    this.#decoder = new HeaderDecoder({ listBytesMax, fieldCountMax }, tableBytes);
  }

  /** Whether a block has started: only its continuation may follow. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** The block that the frame completes. Throws if the frame is not allowed now. */
  push(frame: ParsedFrame): HeaderBlock | undefined {
    if (frame.kind === 'continuation') return this.#continue(frame);
    if (this.#open !== undefined) throw ConnectionError.protocol('A block of fields is interrupted.');
    if (frame.kind !== 'headers') return undefined;
    const { streamId, isEnd, fragment } = frame;
    const open = { streamId, isEnd, fragments: [fragment], bytes: fragment.length };
    if (frame.isLast) return this.#finish(open);
    // The input buffer may be reused before the rest arrives.
    open.fragments[0] = Buffer.from(fragment);
    this.#open = open;
    return undefined;
  }

  #continue(frame: ParsedFrame & { kind: 'continuation' }): HeaderBlock | undefined {
    const open = this.#open;
    if (open?.streamId !== frame.streamId)
      throw ConnectionError.protocol('CONTINUATION continues nothing, or another block.');
    const { framesPerBlockMax, headerListBytesMax } = this.#limits;
    open.fragments.push(Buffer.from(frame.fragment));
    open.bytes += frame.fragment.length;
    if (open.fragments.length > framesPerBlockMax || open.bytes > headerListBytesMax)
      throw ConnectionError.tooMuch('continuation');
    if (!frame.isLast) return undefined;
    this.#open = undefined;
    return this.#finish(open);
  }

  #finish({ streamId, isEnd, fragments, bytes }: OpenBlock): HeaderBlock {
    const list = this.#decoder.decode(fragments.length === 1 ? fragments[0]! : Buffer.concat(fragments));
    if (list === undefined) throw ConnectionError.compression();
    return { streamId, list, isEnd, receivedBytes: bytes + fragments.length * frameHeadBytes };
  }
}
