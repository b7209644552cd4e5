/**
 * The module `cloudflare:email` for a Worker: the class of a message. Sending one needs a binding, which does not exist
 * here.
 */
export class EmailMessage {
  readonly from: string;
  readonly to: string;
  readonly raw: string | ReadableStream;

  constructor(from: string, to: string, raw: string | ReadableStream) {
    this.from = String(from);
    this.to = String(to);
    this.raw = raw;
  }
}
