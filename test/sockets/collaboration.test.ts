/** In a separate process: partyserver keeps the bindings of the first Worker that it sees. */
import { test } from 'node:test';
import { WebSocket } from 'ws';
import YProvider from 'y-partyserver/provider';
import * as Y from 'yjs';
import { eventually } from '../eventually.ts';
import { startSite } from './site.ts';

const documents = `
import { routePartykitRequest } from 'partyserver';
import { YServer } from 'y-partyserver';
import * as Y from 'yjs';
export class Document extends YServer {
  static options = { hibernate: true };
  static callbackOptions = { debounceWait: 1, debounceMaxWait: 1 };
  async onLoad() {
    this.ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS saved (id TEXT PRIMARY KEY, content BLOB)');
    for (const { content } of this.ctx.storage.sql.exec('SELECT content FROM saved')) Y.applyUpdate(this.document, new Uint8Array(content));
  }
  async onSave() {
    this.ctx.storage.sql.exec('INSERT OR REPLACE INTO saved VALUES (?, ?)', 'document', Y.encodeStateAsUpdate(this.document));
  }
}
export default {
  async fetch(request, env) {
    return (await routePartykitRequest(request, env)) ?? new Response('not found', { status: 404 });
  },
};`;

test('y-partyserver: two editors converge', async (t) => {
  const site = await startSite(t, documents, { className: 'Document' });
  const open = (): { text: Y.Text; provider: YProvider } => {
    const document = new Y.Doc();
    const provider = new YProvider(new URL(site.url).host, 'notes', document, {
      party: 'rooms',
      protocol: 'ws',
      disableBc: true,
      WebSocketPolyfill: WebSocket as unknown as typeof globalThis.WebSocket,
    });
    t.after(() => provider.destroy());
    return { text: document.getText('body'), provider };
  };
  const [one, two] = [open(), open()];
  await eventually(() => one.provider.synced && two.provider.synced, 'both editors are connected');
  one.text.insert(0, 'world');
  two.text.insert(0, 'hello ');
  await eventually(
    () => one.text.length === 11 && one.text.toJSON() === two.text.toJSON(),
    'the texts are the same',
  );
  const three = open();
  await eventually(() => three.text.toJSON() === one.text.toJSON(), 'a third editor sees the same');
});
