/** Replaces the global classes by the light ones, for programs that mainly serve requests. */
import { allowStreamBody, fetchApart } from '#base';
import { createUpgradeResponse, fetchUpgrade, isUpgrade } from '#sockets';
import { fetchFromOrigin, isOfOwnZone } from '../outbound/zone-origin.ts';
import { LightRequest } from './light-request.ts';
import { LightResponse } from './light-response.ts';
import { NativeRequest } from './native-request.ts';
import { keepCf } from './request-cf.ts';

/**
 * Node's own `Request`, extended to accept a light one wherever it accepts a request, and a stream as Workers code
 * passes it.
 */
class AcceptingRequest extends NativeRequest {
  constructor(input: string | URL | Request, init?: RequestInit) {
    super(LightRequest.unwrap(input), allowStreamBody(init));
    const own = (init as { readonly cf?: unknown } | null | undefined)?.cf;
    if (own !== undefined || input instanceof NativeRequest) keepCf(input as object, this, own);
  }

  override clone(): Request {
    return keepCf(this, super.clone());
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this === AcceptingRequest) return value instanceof NativeRequest;
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }
}
Object.defineProperty(AcceptingRequest, 'name', { value: 'Request' });

/** Replaces the global `Request`, `Response` and `fetch`. A second call changes nothing. */
export function useLightFetch(): void {
  if ((globalThis.Response as unknown) === LightResponse) return;
  const globals = {
    Request: AcceptingRequest,
    Response: LightResponse,
    fetch: (input: string | URL | Request, init?: RequestInit) => {
      if (asksForUpgrade(input, init)) return fetchSocket(new AcceptingRequest(input, init));
      if (isOfOwnZone(input)) return fetchFromOrigin(new AcceptingRequest(input, init));
      return fetchApart(LightRequest.unwrap(input), allowStreamBody(init));
    },
  };
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  }
}

function asksForUpgrade(input: string | URL | Request, init: RequestInit | undefined): boolean {
  const headers = init?.headers ?? (input instanceof NativeRequest ? input.headers : undefined);
  return headers !== undefined && isUpgrade(new Headers(headers));
}

async function fetchSocket(request: Request): Promise<Response> {
  const { transport, body, ...head } = await fetchUpgrade(request);
  return transport === undefined ? new LightResponse(body, head) : createUpgradeResponse(transport, head);
}
