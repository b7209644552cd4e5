/** An object of a bucket with its contents, which can be read once. */
import type { ShowFields } from '../shown-fields.ts';
import type { BodyContent, ObjectRecord } from './r2-records.ts';
import { R2Object } from './r2-stored-object.ts';
import type { ByteRange } from './ranges.ts';

export class R2ObjectBody extends R2Object {
  readonly #response: Response;

  constructor(
    record: ObjectRecord,
    body: BodyContent,
    details: { readonly range: ByteRange; readonly show: ShowFields },
  ) {
    super(record, details);
    this.#response = new Response(body as ConstructorParameters<typeof Response>[0]);
  }

  get body(): ReadableStream {
    return this.#response.body!;
  }

  get bodyUsed(): boolean {
    return this.#response.bodyUsed;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return await this.#unused().arrayBuffer();
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.#unused().arrayBuffer());
  }

  async text(): Promise<string> {
    return await this.#unused().text();
  }

  async json(): Promise<unknown> {
    return await this.#unused().json();
  }

  async blob(): Promise<Blob> {
    return new Blob([await this.#unused().arrayBuffer()], { type: this.httpMetadata.contentType ?? '' });
  }

  #unused(): Response {
    if (this.#response.bodyUsed) {
      throw new TypeError(
        'Body has already been used. It can only be used once. Use tee() first if you need to read it twice.',
      );
    }
    return this.#response;
  }
}
