/** A text and what is answered to it without waking the object. */
import { wrongType } from './argument-errors.ts';

export class WebSocketRequestResponsePair {
  readonly #request: string;
  readonly #response: string;

  constructor(request: string, response: string) {
    for (const parameter of [1, 2]) {
      if (arguments.length < parameter) {
        throw wrongType('constructor', parameter, 'string', 'WebSocketRequestResponsePair');
      }
    }
    this.#request = `${request}`;
    this.#response = `${response}`;
  }

  static is(value: unknown): value is WebSocketRequestResponsePair {
    return typeof value === 'object' && value !== null && #request in value;
  }

  get request(): string {
    return this.#request;
  }

  get response(): string {
    return this.#response;
  }
}
