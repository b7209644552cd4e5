/** `HTMLRewriter`: changes HTML while it is streamed. Only the open elements of a document are kept. */
import { wrongType } from '#base';
import {
  type DocumentHandlers,
  type ElementHandlers,
  Rewriting,
  type SelectedHandlers,
} from './rewriting.ts';
import { parseSelector } from './selector.ts';

export class HTMLRewriter {
  readonly #selected: SelectedHandlers[] = [];
  readonly #document: DocumentHandlers[] = [];

  /** `handlers` may have `element`, `comments` and `text`, each of which may be asynchronous. */
  on(selector: string, handlers: ElementHandlers): this {
    this.#selected.push({ selector: parseSelector(String(selector)), handlers: checkHandlers(handlers) });
    return this;
  }

  /** `handlers` may have `doctype`, `comments`, `text` and `end`. */
  onDocument(handlers: DocumentHandlers): this {
    this.#document.push(checkHandlers(handlers));
    return this;
  }

  /** The response with its body rewritten as it is read. A failing handler makes the body fail. */
  transform(response: Response): Response {
    if (!(response instanceof Response)) {
      throw wrongType({ method: 'transform', face: 'HTMLRewriter' }, 1, 'Response');
    }
    if (response.body === null) return new Response(null, response);
    const rewriting = new Rewriting([...this.#selected], [...this.#document]);
    const decoder = new TextDecoder();
    const encoder = new TextEncoder();
    const rewritten = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
      async transform(chunk, controller) {
        const output = await rewriting.add(decoder.decode(chunk, { stream: true }));
        if (output !== '') controller.enqueue(encoder.encode(output));
      },
      async flush(controller) {
        const output = (await rewriting.add(decoder.decode())) + (await rewriting.end());
        if (output !== '') controller.enqueue(encoder.encode(output));
      },
    });
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    // Its length is unknown.
    headers.delete('content-length');
    return new Response(response.body.pipeThrough(rewritten), { status, statusText, headers });
  }
}

function checkHandlers<Handlers extends object>(handlers: Handlers): Handlers {
  if (typeof handlers !== 'object' || handlers === null) {
    throw new TypeError('handlers must be an object with functions');
  }
  return handlers;
}
