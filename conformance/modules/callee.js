import { DurableObject, RpcTarget } from 'cloudflare:workers';

class Mine extends Error {
  name = 'Mine';
}

class Plain {
  x = 1;
}

/** Handed out by reference: callers get a stub of it. */
export class Counter extends RpcTarget {
  #n = 0;
  own = 'own field';

  get value() {
    return this.#n;
  }

  add(n = 1) {
    this.#n += n;
    return this.#n;
  }

  nested() {
    return new Counter();
  }
}

/** An object with many kinds of members, to be called from outside. */
export class Callee extends DurableObject {
  field = 'own field';
  fieldFunction = () => 'own function';

  get property() {
    return { deep: { n: 5 } };
  }

  get failingProperty() {
    throw new RangeError('from the getter');
  }

  static fixed() {
    return 'static';
  }

  echo(...args) {
    return args.length === 1 ? args[0] : args;
  }

  async later(value) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return value;
  }

  count(...args) {
    return args.length;
  }

  _underscored() {
    return 'underscored';
  }

  ['odd name']() {
    return 'odd';
  }

  then_() {
    return 'then_';
  }

  identity() {
    return { name: this.ctx.id.name, id: this.ctx.id.toString(), hasEnv: Object.keys(this.env).sort() };
  }

  counter() {
    return new Counter();
  }

  object() {
    return { n: 1, list: [1, 2], twice: (n) => n * 2, counter: new Counter() };
  }

  function() {
    return (n) => n + 1;
  }

  async callBack(callback, ...args) {
    return callback(...args);
  }

  async useCounter(counter) {
    await counter.add(5);
    return counter.value;
  }

  async keep(callback) {
    this.kept = callback.dup();
  }

  async useKept() {
    return this.kept('kept');
  }

  async disposeKept() {
    this.kept[Symbol.dispose]();
    return this.kept('after');
  }

  textStream() {
    return new Response('streamed text').body.pipeThrough(new TextDecoderStream());
  }

  stream() {
    return new Blob(['streamed ', 'text']).stream();
  }

  response() {
    return new Response('made in the object', { status: 201, headers: { 'x-made': 'yes' } });
  }

  readRequest(request) {
    return [request.method, request.url, request.headers.get('x-a')];
  }

  instance() {
    return new Plain();
  }

  large(bytes) {
    return new Uint8Array(bytes);
  }

  /** A value of about so many bytes, made here. */
  sized(kind, size) {
    return sized[kind](size);
  }

  sizeOf(value) {
    return measure(value);
  }

  throwIt(kind) {
    throw thrown[kind]();
  }

  async rejectIt(kind) {
    throw thrown[kind]();
  }

  record(label) {
    (this.log ??= []).push(label);
  }

  recorded() {
    return this.log;
  }

  async fetch(request) {
    const { pathname } = new URL(request.url);
    return this[`fetch${pathname.replaceAll('/', '_')}`](request);
  }

  async fetch_echo(request) {
    return Response.json({
      method: request.method,
      url: request.url,
      header: request.headers.get('x-test'),
      body: await request.text(),
    });
  }

  fetch_status() {
    return new Response(null, { status: 204, statusText: 'Nothing', headers: { 'x-a': '1' } });
  }

  fetch_throw() {
    throw new RangeError('in fetch');
  }

  fetch_text() {
    return 'not a response';
  }

  fetch_undefined() {}

  fetch_redirect() {
    return Response.redirect('http://object/elsewhere', 302);
  }

  fetch_large(request) {
    const [kind, size] = new URL(request.url).search.slice(1).split('&');
    return new Response(sized[kind](Number(size)));
  }

  async fetch_size(request) {
    return Response.json((await request.arrayBuffer()).byteLength);
  }

  /** Sends back what comes, after a first message of the size that the query says. */
  fetch_socket(request) {
    const { 0: client, 1: server } = new WebSocketPair();
    server.accept();
    server.addEventListener('message', ({ data }) => server.send(data));
    server.send('x'.repeat(Number(new URL(request.url).search.slice(1))));
    return new Response(null, { status: 101, webSocket: client });
  }

  fetch_stream() {
    return new Response(new Blob(['a', 'b', 'c']).stream());
  }
}

export const sized = {
  string: (size) => 'x'.repeat(size),
  'wide string': (size) => '\u20ac'.repeat(size / 2),
  Uint8Array: (size) => new Uint8Array(size),
  ArrayBuffer: (size) => new ArrayBuffer(size),
  array: (size) => Array.from({ length: size / 2 ** 20 }, () => 'x'.repeat(2 ** 20)),
  object: (size) => ({ text: 'x'.repeat(size) }),
  Error: (size) => new RangeError('x'.repeat(size)),
  stream: (size) => new Blob(['x'.repeat(size)]).stream(),
};

/** How much came, in short. */
export function measure(value) {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.map(measure).reduce((sum, each) => sum + each, 0);
  return value.byteLength ?? measure(value.text ?? value.message);
}

export const thrown = {
  Error: () => new Error('plain'),
  TypeError: () => new TypeError('typed'),
  RangeError: () => new RangeError('ranged'),
  SyntaxError: () => new SyntaxError('syntactic'),
  'own class': () => new Mine('mine'),
  'own name': () => Object.assign(new Error('named'), { name: 'Custom' }),
  'empty message': () => new Error(''),
  'with cause': () => new Error('outer', { cause: new Error('inner') }),
  'with properties': () => Object.assign(new Error('extra'), { code: 7, retryable: true }),
  DOMException: () => new DOMException('aborted', 'AbortError'),
  AggregateError: () => new AggregateError([new Error('one')], 'many'),
  string: () => 'text',
  number: () => 5,
  object: () => ({ a: 1 }),
  null: () => null,
  undefined: () => undefined,
};

/** A class with nothing but the base. */
export class Bare extends DurableObject {}
