/** A message and its automatic response, which does not wake the object. */
import { wrongConstruction } from '#base';

export class WebSocketRequestResponsePair {
  declare readonly request: string;
  declare readonly response: string;
  readonly #isPair = true;

  constructor(request: string, response: string) {
    for (const parameter of [1, 2]) {
      if (arguments.length < parameter) {
        throw wrongConstruction('WebSocketRequestResponsePair', parameter, 'string');
      }
    }
    Object.defineProperty(this, 'request', { value: `${request}`, enumerable: true });
    Object.defineProperty(this, 'response', { value: `${response}`, enumerable: true });
  }

  static is(value: unknown): value is WebSocketRequestResponsePair {
    return typeof value === 'object' && value !== null && #isPair in value && value.#isPair;
  }
}
