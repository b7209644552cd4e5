import { Capability, type LinkEntry, outside, type Side } from '#rpc';
import type { Answer } from './tested-code.ts';

/** A binding that a function of the tests implements; it has no methods. */
export class FunctionEntry extends Capability implements LinkEntry {
  readonly #answer: Answer;

  constructor(answer: Answer) {
    super({ owner: outside, target: () => ({}), reserved: new Set() });
    this.#answer = answer;
  }

  fetch(holder: Side, request: Request): Promise<Response> {
    return holder.reach(async () => await this.#answer(request));
  }
}
