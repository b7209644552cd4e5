/**
 * Workers code passes a stream as the body of a request without `duplex`; Node requires it. Its only value describes
 * what the Workers platform does anyway: the answer arrives after the body has been sent.
 */
export function allowStreamBody(init: RequestInit | null | undefined): RequestInit | undefined {
  if (init === null || init === undefined) return undefined;
  const { body, duplex } = init as { readonly body?: unknown; readonly duplex?: unknown };
  if (duplex !== undefined || !isStream(body)) return init;
  // Not a copy: the fields of `init` may be getters of its class. Not a proxy of `init` itself: that may be frozen.
  return new Proxy<RequestInit>(
    {},
    {
      get: (_target, name) => (name === 'duplex' ? 'half' : (Reflect.get(init, name) as unknown)),
      has: (_target, name) => name === 'duplex' || Reflect.has(init, name),
    },
  );
}

function isStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
