/** Rooms of tldraw, each an object with its drawing in SQL, and the files of drawings in a bucket, by range. */
import { DurableObject } from 'cloudflare:workers';
import {
  DurableObjectSqliteSyncWrapper,
  getTlsyncProtocolVersion,
  SQLiteSyncStorage,
  TLSocketRoom,
} from '@tldraw/sync-core';
import { createTLSchema } from '@tldraw/tlschema';

const schema = createTLSchema();

export class Room extends DurableObject {
  room = new TLSocketRoom({
    schema,
    storage: new SQLiteSyncStorage({ sql: new DurableObjectSqliteSyncWrapper(this.ctx.storage) }),
  });

  fetch() {
    const { 0: client, 1: server } = new WebSocketPair();
    server.accept();
    this.room.handleSocketConnect({ sessionId: crypto.randomUUID(), socket: server });
    return new Response(null, { status: 101, webSocket: client });
  }

  async rename(name) {
    await this.room.updateStore((store) => {
      const document = store.get('document:document');
      store.put({ ...document, name });
    });
    return this.records();
  }

  records() {
    const { documents } = this.room.getCurrentSnapshot();
    return documents.map(({ state }) => [state.typeName, state.id, state.name]).toSorted();
  }
}

/** As tldraw's own Worker answers: a range with a suffix is counted from the end. */
function contentRange({ range, size }) {
  if ('suffix' in range) return `bytes ${size - range.suffix}-${size - 1}/${size}`;
  const start = range.offset ?? 0;
  const end = range.length ? start + range.length - 1 : size - 1;
  return `bytes ${start}-${end}/${size}`;
}

async function download(request, env, name) {
  const object = await env.UPLOADS.get(name, { range: request.headers, onlyIf: request.headers });
  if (object === null) return new Response('no such upload', { status: 404 });
  const headers = new Headers();
  object.writeHttpMetadata(headers);
  headers.set('etag', object.httpEtag);
  headers.set('content-range', contentRange(object));
  const text = `${headers.get('content-range')}: ${await object.text()}`;
  return new Response(text, { status: request.headers.has('range') ? 206 : 200, headers });
}

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    const [, kind, name, call] = pathname.split('/');
    if (kind === 'connect')
      return Response.json({
        type: 'connect',
        connectRequestId: 'one',
        lastServerClock: -1,
        protocolVersion: getTlsyncProtocolVersion(),
        schema: schema.serialize(),
      });
    if (kind === 'uploads' && request.method === 'POST') {
      const { size } = await env.UPLOADS.put(name, request.body, { httpMetadata: request.headers });
      return Response.json({ size });
    }
    if (kind === 'uploads') return await download(request, env, name);
    const room = env.ROOMS.getByName(name);
    if (call === 'rename') return Response.json(await room.rename(await request.text()));
    if (request.headers.get('upgrade') === 'websocket') return await room.fetch(request);
    return Response.json(await room.records());
  },
};
