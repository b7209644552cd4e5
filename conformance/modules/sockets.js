/** What probes about sockets share. */

export const upgrade = { headers: { Upgrade: 'websocket' } };

export function pair() {
  const { 0: client, 1: server } = new WebSocketPair();
  return [client, server];
}

/** Both ends accepted. */
export function acceptedPair(options) {
  const ends = pair();
  for (const end of ends) end.accept(options);
  return ends;
}

/** What an event is, without what differs by nature. */
export function tell(event) {
  switch (event.type) {
    case 'message':
      return ['message', typeof event.data === 'string' ? event.data : describeData(event.data)];
    case 'close':
      return ['close', event.code, event.reason, event.wasClean];
    case 'error':
      return ['error', event.message];
    default:
      return [event.type];
  }
}

export function describeData(data) {
  if (data instanceof ArrayBuffer) return { buffer: [...new Uint8Array(data)] };
  return { kind: Object.prototype.toString.call(data), size: data?.size };
}

/** What workerd may say of a connection that has been closed, or not. */
const noise = 'Uncaught Error: Network connection lost.';

/** Every event of a socket from now on, with the state it finds. */
export function listen(ws) {
  const heard = [];
  for (const type of ['open', 'message', 'close', 'error']) {
    ws.addEventListener(type, (event) => {
      const isNoise = event.message === noise && heard.some(([each]) => each === 'close');
      if (!isNoise) heard.push([...tell(event), ws.readyState]);
    });
  }
  return heard;
}

export function next(ws, type = 'message') {
  return new Promise((resolve) => ws.addEventListener(type, (event) => resolve(tell(event)), { once: true }));
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets whatever is on its way between two ends arrive. */
export const settle = () => sleep(250);

/** The client end of a socket that the probe's object has accepted. */
export async function connect(world, query = '') {
  const { webSocket } = await world.stub().fetch(`http://object/${query}`, upgrade);
  webSocket.accept();
  return webSocket;
}

/** A step `fetch` that accepts with hibernation. */
export const hibernating =
  (tagsOf = () => undefined) =>
  ({ ctx }, request) => {
    const [client, server] = pair();
    ctx.acceptWebSocket(server, tagsOf(request));
    return new Response(null, { status: 101, webSocket: client });
  };
