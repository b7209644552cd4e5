/**
 * The way of a request: routed, authenticated, limited, permitted, read, then answered by the object that holds the state.
 * Every failure on the way is an answer in the envelope with a code; nothing is changed before the last step, and no
 * error of ours shows more than a request id.
 */
import { randomBytes } from 'node:crypto';
import {
  type ApiAnswer,
  type ApiRequest,
  entryOf,
  Fault,
  fault,
  genericCodes,
  type OperationId,
  operations,
  type Route,
  Router,
  targetCharactersMax,
  writeFault,
  type WrittenAnswer,
} from '#v4';
import type { Call } from '../handler.ts';
import { authenticate } from './credentials.ts';
import { readInput } from './input.ts';
import type { Dispatcher } from './dispatcher.ts';

export const apiPrefix = '/client/v4';

export interface FrontOptions {
  readonly dispatcher: Dispatcher;
  /** Takes errors of ours, with the id that the client was told. */
  readonly onError: (error: unknown, requestId: string) => void;
}

const router = new Router<OperationId>(operations);

export class ApiFront {
  readonly #dispatcher: Dispatcher;
  readonly #onError: FrontOptions['onError'];

  constructor({ dispatcher, onError }: FrontOptions) {
    this.#dispatcher = dispatcher;
    this.#onError = onError;
  }

  async answer(request: ApiRequest): Promise<ApiAnswer> {
    const requestId = randomBytes(8).toString('hex');
    try {
      return sent(await this.#answer(request, requestId), requestId);
    } catch (error) {
      if (error instanceof Fault) return sent(writeFault(error), requestId);
      this.#onError(error, requestId);
      return sent(writeFault(fault(genericCodes.internal, { fill: { request: requestId } })), requestId);
    }
  }

  async #answer(request: ApiRequest, requestId: string): Promise<WrittenAnswer> {
    const { path, query } = splitTarget(request.target);
    const route = router.find(request.method, path.slice(apiPrefix.length));
    if (!path.startsWith(`${apiPrefix}/`) || route.kind === 'none') throw notRouted(path);
    if (route.kind === 'wrong-method') throw fault(genericCodes.methodNotAllowed);
    const actor = authenticate(this.#dispatcher.directory, request.headers, request.address);
    this.#checkReach(route);
    const input = await readInput(route.operation, { request, path: route.path, query });
    const call: Call = { operation: route.id, input, actor, requestId };
    return this.#dispatcher.dispatch(call);
  }

  #checkReach({ path }: Extract<Route<OperationId>, { kind: 'found' }>): void {
    const zone = path['zone_id'];
    if (zone !== undefined && !this.#dispatcher.directory.zones.has(zone))
      throw fault(genericCodes.zoneNotFound);
  }
}

function splitTarget(target: string): { path: string; query: string } {
  const [path, query = ''] = target.length > targetCharactersMax ? ['/'] : target.split(/\?(.*)/s, 2);
  return { path: path!, query };
}

function notRouted(path: string): Fault {
  const { couldNotRoute, noRoute } = genericCodes;
  const shown = path.length > 200 ? `${path.slice(0, 197)}...` : path;
  return new Fault(404, [entryOf(couldNotRoute, { fill: { path: shown } }), entryOf(noRoute)]);
}

function sent({ status, body }: WrittenAnswer, requestId: string): ApiAnswer {
  const headers: Record<string, string> = { 'cf-ray': requestId };
  if (body !== null) headers['content-type'] = 'application/json';
  return { status, headers, body };
}
