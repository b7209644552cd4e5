/** Questions about streams, bodies and encodings, each by its name. */
const text = (body) => new Response(body).text();
export const describeError = (error) => `${error?.name}: ${error?.message}`;
const bytes = (...n) => new Uint8Array(n);
const byteStream = (chunks) =>
  new ReadableStream({
    type: 'bytes',
    pull(c) {
      const n = chunks.shift();
      if (n === undefined) {
        c.close();
        c.byobRequest?.respond(0);
      } else c.enqueue(n);
    },
  });
const show = (result) => JSON.stringify(sortKeys(result));
const sortKeys = (value) => {
  if (value instanceof Uint8Array) return `u8[${[...value]}]`;
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted()
      .map(([key, each]) => [key, sortKeys(each)]),
  );
};
export const probes = {
  'byob read of a request body': async (r) => {
    const reader = r.clone().body?.getReader({ mode: 'byob' });
    const x = await reader.read(new Uint8Array(3));
    return show([x.done, x.value?.length, x.value?.constructor.name]);
  },
  readAtLeast: async () => {
    const reader = byteStream([bytes(1), bytes(2, 3), bytes(4)]).getReader({ mode: 'byob' });
    const x = await reader.readAtLeast(3, new Uint8Array(8));
    return show(x);
  },
  'byob min': async () => {
    const reader = byteStream([bytes(1), bytes(2, 3), bytes(4)]).getReader({ mode: 'byob' });
    return show(await reader.read(new Uint8Array(8), { min: 3 }));
  },
  'byob at the end': async () => {
    const reader = byteStream([]).getReader({ mode: 'byob' });
    return show(await reader.read(new Uint8Array(4)));
  },
  'byob of a value stream': () => new ReadableStream({ pull() {} }).getReader({ mode: 'byob' }),
  'byob zero view': async () => {
    const reader = byteStream([bytes(1)]).getReader({ mode: 'byob' });
    return show(await reader.read(new Uint8Array(0)));
  },
  'tee of bytes': async () => {
    const [a, b] = byteStream([bytes(1), bytes(2)]).tee();
    return show([await new Response(a).bytes(), await new Response(b).bytes()]);
  },
  'tee reads both alike': async () => {
    const chunk = bytes(1, 2);
    const [a, b] = new ReadableStream({
      start(c) {
        c.enqueue(chunk);
        c.close();
      },
    }).tee();
    const x = (await a.getReader().read()).value,
      y = (await b.getReader().read()).value;
    return show([x === chunk, y === chunk, x === y]);
  },
  'tee of a response body': async () => {
    const r = new Response('hello');
    const [a, b] = r.body.tee();
    return show([await text(a), await text(b), r.bodyUsed]);
  },
  'tee of a locked': () => {
    const s = new ReadableStream();
    s.getReader();
    return s.tee();
  },
  'back-pressure pulls': async () => {
    let pulls = 0;
    const s = new ReadableStream({
      pull(c) {
        c.enqueue(bytes(pulls++));
      },
    });
    await scheduler.wait(5);
    return String(pulls);
  },
  'back-pressure hwm 3': async () => {
    let pulls = 0;
    const s = new ReadableStream(
      {
        pull(c) {
          c.enqueue(bytes(pulls++));
        },
      },
      { highWaterMark: 3 },
    );
    await scheduler.wait(5);
    return String(pulls);
  },
  'identity write waits for read': async () => {
    const { readable, writable } = new IdentityTransformStream();
    const w = writable.getWriter();
    let done = false;
    const p = w.write(bytes(1)).then(() => {
      done = true;
    });
    await scheduler.wait(5);
    const before = done;
    const r = await readable.getReader().read();
    await p;
    return show([before, done, r]);
  },
  'transform stream ready': async () => {
    const { writable } = new TransformStream();
    const w = writable.getWriter();
    return show([
      w.desiredSize,
      await Promise.race([w.ready.then(() => 'ready'), scheduler.wait(5).then(() => 'waits')]),
    ]);
  },
  'writable desiredSize': () =>
    show([
      new IdentityTransformStream().writable.getWriter().desiredSize,
      new WritableStream().getWriter().desiredSize,
    ]),
  'string chunk in body': async () =>
    text(
      new ReadableStream({
        start(c) {
          c.enqueue('text');
          c.close();
        },
      }),
    ),
  'number chunk in body': async () =>
    text(
      new ReadableStream({
        start(c) {
          c.enqueue(5);
          c.close();
        },
      }),
    ),
  'body used twice': async () => {
    const r = new Response('a');
    await r.text();
    return await r.text();
  },
  'body locked': async () => {
    const r = new Response('a');
    r.body.getReader();
    return await r.text();
  },
  'clone used': async () => {
    const r = new Response('a');
    await r.text();
    return r.clone();
  },
  'response of used body': async () => {
    const r = new Response('a');
    await r.text();
    return new Response(r.body);
  },
  'request get with body': () => new Request('http://x', { body: 'a' }),
  'request bad method': () => new Request('http://x', { method: 'a b' }),
  'request bad url': () => new Request('nope'),
  'fetch bad url': async () => await fetch('nope'),
  'response bad status': () => new Response('', { status: 42 }),
  'response 204 body': () => new Response('a', { status: 204 }),
  'redirect bad': () => Response.redirect('nope', 301),
  'redirect bad status': () => Response.redirect('http://x', 200),
  'json circular': () => {
    const a = {};
    a.a = a;
    return Response.json(a);
  },
  'json undefined': () => Response.json(undefined),
  'json of no json': async () => await new Response('{').json(),
  'json of empty': async () => await new Response('').json(),
  'headers bad name': () => new Headers({ 'a b': 'c' }),
  'headers bad value': () => new Headers({ a: 'c\nd' }),
  'headers latin1': () => new Headers({ a: 'é' }).get('a'),
  'headers unicode': () => new Headers({ a: '€' }).get('a'),
  'set-cookie': () => {
    const h = new Headers();
    h.append('set-cookie', 'a=1');
    h.append('set-cookie', 'b=2');
    return show([h.get('set-cookie'), h.getSetCookie(), [...h]]);
  },
  getAll: () => new Headers({ 'set-cookie': 'a' }).getAll('set-cookie').join(),
  'getAll other': () => new Headers({ a: 'a' }).getAll('a').join(),
  'formData text type': async () => await new Response('a=1').formData(),
  'formData urlencoded': async () =>
    show([
      ...(await new Response('a=1&b=%20+', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }).formData()),
    ]),
  'formData no boundary': async () =>
    await new Response('x', { headers: { 'content-type': 'multipart/form-data' } }).formData(),
  'formData broken': async () =>
    await new Response('x', { headers: { 'content-type': 'multipart/form-data; boundary=b' } }).formData(),
  'formData parts': async () => {
    const body =
      '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="x.txt"\r\nContent-Type: text/plain\r\n\r\ncontent\r\n--b--\r\n';
    const f = await new Response(body, {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    }).formData();
    return show([
      f.get('a'),
      f.get('f').name,
      f.get('f').type,
      await f.get('f').text(),
      f.get('f') instanceof File,
    ]);
  },
  'formData binary part': async () => {
    const f = new FormData();
    f.append('b', new Blob([bytes(0, 255, 13, 10)]), 'b.bin');
    const back = await new Response(f).formData();
    return show([back.get('b').name, back.get('b').type, new Uint8Array(await back.get('b').arrayBuffer())]);
  },
  'formData written': async () => {
    const f = new FormData();
    f.append('a"b', 'c\nd');
    f.append('f', new Blob(['x'], { type: 'text/css' }));
    const t = await new Response(f).text();
    return t.replaceAll(/-{2,}[\w-]+/g, '<b>').replaceAll(/\b[\da-f]{30,}\b/g, '<b>');
  },
  'formData type': () =>
    new Response(new FormData()).headers.get('content-type').replace(/boundary=.*/, 'boundary='),
  'formData append blob only': () => {
    const f = new FormData();
    f.append('a', 'b', 'c');
    return 'taken';
  },
  'urlsearchparams type': () => new Response(new URLSearchParams('a=1')).headers.get('content-type'),
  'blob type': async () =>
    show([
      new Response(new Blob(['a'], { type: 'x/y' })).headers.get('content-type'),
      (await new Response('a', { headers: { 'content-type': 'x/y;charset=utf-8' } }).blob()).type,
    ]),
  'string type': () => new Response('a').headers.get('content-type'),
  'text bom': async () => show(await new Response(bytes(0xef, 0xbb, 0xbf, 97)).text()),
  'text bad utf8': async () => show(await new Response(bytes(97, 0xff, 98)).text()),
  'decoder labels': () =>
    [
      'latin1',
      'ascii',
      'utf-16',
      'utf-16be',
      'shift_jis',
      'gbk',
      'big5',
      'euc-kr',
      'windows-1252',
      'iso-8859-2',
      'koi8-r',
      'x-user-defined',
    ]
      .map((l) => {
        try {
          return new TextDecoder(l).encoding;
        } catch (e) {
          return describeError(e);
        }
      })
      .join(' | '),
  'decoder fatal': () => new TextDecoder('utf-8', { fatal: true }).decode(bytes(0xff)),
  'decoder ignoreBOM': () =>
    show([
      new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes(0xef, 0xbb, 0xbf, 97)).length,
      new TextDecoder().decode(bytes(0xef, 0xbb, 0xbf, 97)).length,
    ]),
  'decoder stream': () => {
    const d = new TextDecoder();
    return show([d.decode(bytes(0xe2, 0x82), { stream: true }), d.decode(bytes(0xac))]);
  },
  'decoder bad label': () => new TextDecoder('nope'),
  'encoder lone surrogate': () => show(new TextEncoder().encode('\ud800')),
  encodeInto: () => show(new TextEncoder().encodeInto('a€b', new Uint8Array(3))),
  'encoder stream': async () =>
    show(
      await new Response(
        new Blob(['a€']).stream().pipeThrough(new TextDecoderStream()).pipeThrough(new TextEncoderStream()),
      ).bytes(),
    ),
  'gzip round': async () =>
    text(
      new Blob(['hello'])
        .stream()
        .pipeThrough(new CompressionStream('gzip'))
        .pipeThrough(new DecompressionStream('gzip')),
    ),
  'deflate-raw': async () =>
    text(
      new Blob(['hello'])
        .stream()
        .pipeThrough(new CompressionStream('deflate-raw'))
        .pipeThrough(new DecompressionStream('deflate-raw')),
    ),
  brotli: () => new CompressionStream('brotli'),
  'compression bad': () => new CompressionStream('nope'),
  'decompress broken': async () =>
    text(new Blob(['nope']).stream().pipeThrough(new DecompressionStream('gzip'))),
  'decompress trailing': async () => {
    const z = new Uint8Array([
      ...(await new Response(new Blob(['a']).stream().pipeThrough(new CompressionStream('gzip'))).bytes()),
      1,
    ]);
    return text(new Blob([z]).stream().pipeThrough(new DecompressionStream('gzip')));
  },
  'decompress truncated': async () => {
    const z = (
      await new Response(new Blob(['hello']).stream().pipeThrough(new CompressionStream('gzip'))).bytes()
    ).slice(0, -3);
    return text(new Blob([z]).stream().pipeThrough(new DecompressionStream('gzip')));
  },
  atob: () => show([atob(' YQ= = '.replaceAll(' ', '')), btoa('é')]),
  'atob bad': () => atob('a'),
  'btoa bad': () => btoa('€'),
  'stream cancel reason': async () => {
    let seen;
    const s = new ReadableStream({
      cancel(r) {
        seen = r;
      },
    });
    await s.cancel('why');
    return show(seen);
  },
  'stream error reason': async () =>
    text(
      new ReadableStream({
        start(c) {
          c.error(new RangeError('as asked'));
        },
      }),
    ),
  'stream double reader': () => {
    const s = new ReadableStream();
    s.getReader();
    return s.getReader();
  },
  'release then read': async () => {
    const r = new ReadableStream().getReader();
    r.releaseLock();
    return await r.read();
  },
  'release with pending read': async () => {
    const r = new ReadableStream().getReader();
    const p = r.read();
    r.releaseLock();
    return await p;
  },
  'closed after release': async () => {
    const r = new ReadableStream().getReader();
    r.releaseLock();
    return await r.closed;
  },
  'enqueue after close': () => {
    let c;
    new ReadableStream({
      start(x) {
        c = x;
      },
    });
    c.close();
    c.enqueue(1);
  },
  'close twice': () => {
    let c;
    new ReadableStream({
      start(x) {
        c = x;
      },
    });
    c.close();
    c.close();
  },
  'write after close': async () => {
    const w = new WritableStream().getWriter();
    await w.close();
    return await w.write(1);
  },
  'close twice writer': async () => {
    const w = new WritableStream().getWriter();
    await w.close();
    return await w.close();
  },
  'writable locked': () => {
    const s = new WritableStream();
    s.getWriter();
    return s.getWriter();
  },
  'pipeTo locked': async () => {
    const s = new ReadableStream();
    s.getReader();
    return await s.pipeTo(new WritableStream());
  },
  'pipeTo abort': async () =>
    await new ReadableStream().pipeTo(new WritableStream(), { signal: AbortSignal.abort('stop') }),
  'pipeThrough no writable': () => new ReadableStream().pipeThrough({}),
  'from iterable': async () => text(ReadableStream.from(['a', 'b'])),
  'async iteration': async () => {
    const got = [];
    for await (const c of new ReadableStream({
      start(c) {
        c.enqueue(1);
        c.enqueue(2);
        c.close();
      },
    }))
      got.push(c);
    return show(got);
  },
  'values preventCancel': async () => {
    const s = new ReadableStream({
      start(c) {
        c.enqueue(1);
        c.enqueue(2);
      },
    });
    for await (const c of s.values({ preventCancel: true })) break;
    return show([s.locked, (await s.getReader().read()).value]);
  },
  'structuredClone stream': () => structuredClone(new ReadableStream(), {}),
  'blob slice': async () =>
    show([await new Blob(['abc']).slice(1, 2).text(), new Blob(['abc'], { type: 'A/B' }).type]),
  file: () => {
    const f = new File(['a'], 'n', { type: 't/t', lastModified: 5 });
    return show([f.name, f.size, f.type, f.lastModified]);
  },
  'URL.createObjectURL': () => URL.createObjectURL(new Blob(['a'])),
  'Response.error': () => show([Response.error().type, Response.error().status]),
  'response type and url': () => {
    const r = new Response('a');
    return show([r.type, r.url, r.ok, r.redirected, r.statusText]);
  },
  'request defaults': () => {
    const r = new Request('http://x/a');
    return show([
      r.method,
      r.redirect,
      r.cache,
      r.credentials,
      r.mode,
      r.integrity,
      r.keepalive,
      r.referrer,
      r.destination,
      r.duplex,
    ]);
  },
  'request cache option': () => new Request('http://x', { cache: 'force-cache' }).cache,
  'request mode option': () => new Request('http://x', { mode: 'cors' }).mode,
  'request credentials option': () => new Request('http://x', { credentials: 'include' }).credentials,
  'request referrer option': () => new Request('http://x', { referrer: 'http://y' }).referrer,
  'request integrity option': () => new Request('http://x', { integrity: 'sha256-x' }).integrity,
  'request redirect bad': () => new Request('http://x', { redirect: 'error' }).redirect,
  'stream body no duplex': () =>
    new Request('http://x', { method: 'POST', body: new ReadableStream() }).duplex,
  'inspect names': () =>
    show([
      Object.prototype.toString.call(new Response()),
      String(new Headers()),
      String(new ReadableStream()),
    ]),
  'response headers guard': () => {
    const r = Response.redirect('http://x');
    r.headers.set('a', 'b');
    return 'set';
  },
  'request headers host': () => {
    const r = new Request('http://x', { headers: { host: 'y', 'content-length': '5', connection: 'close' } });
    return show([...r.headers]);
  },
  'Response.json init': async () => {
    const r = Response.json({ a: 1 }, { status: 201, headers: { 'content-type': 'a/b' } });
    return show([r.status, r.headers.get('content-type'), await r.text()]);
  },
  bytes: async () => show(await new Response('a').bytes()),
  'arrayBuffer body': async () => {
    const b = bytes(1, 2).buffer;
    const r = new Response(b);
    new Uint8Array(b)[0] = 9;
    return show(await r.bytes());
  },
  'dataview body': async () => show(await new Response(new DataView(bytes(1, 2, 3).buffer, 1)).bytes()),
  'object body': async () => text({ toString: () => 'object' }),
  'number body': async () => text(5),
  'null body': async () =>
    show([
      new Response(null).body,
      new Response().body,
      new Response(undefined).body,
      new Response('').body === null,
    ]),
  'performance.now': () => typeof performance.now(),
  'expectedLength fixed': async () => {
    const { readable, writable } = new FixedLengthStream(3);
    const w = writable.getWriter();
    w.write(bytes(1, 2, 3));
    w.close();
    return show(await new Response(readable).bytes());
  },
};
