import { createMergeableStore } from 'tinybase';
import { createDurableObjectSqlStoragePersister } from 'tinybase/persisters/persister-durable-object-sql-storage';
import {
  getWsServerDurableObjectFetch,
  WsServerDurableObject,
} from 'tinybase/synchronizers/synchronizer-ws-server-durable-object';

export class Stores extends WsServerDurableObject {
  createPersister() {
    return createDurableObjectSqlStoragePersister(createMergeableStore(), this.ctx.storage.sql, {
      mode: 'fragmented',
    });
  }
}

/** The store of an object, kept in its SQL. */
export class Pets extends WsServerDurableObject {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const store = createMergeableStore();
    const persister = createDurableObjectSqlStoragePersister(store, this.ctx.storage.sql, {
      mode: 'fragmented',
    });
    await persister.load();
    store.setCell('pets', pathname.slice(1), 'legs', pathname.length);
    await persister.save();
    await persister.destroy();
    return Response.json(store.getTables());
  }
}

const serve = getWsServerDurableObjectFetch('Stores');

export default {
  fetch: (request, env) =>
    request.headers.get('upgrade') === 'websocket'
      ? serve(request, env)
      : env.Pets.getByName('all').fetch(request),
};
