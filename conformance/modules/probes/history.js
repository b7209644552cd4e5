import { area } from '../registry.js';

const BOOKMARK = /^[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{32}$/;

area(
  'history',
  {},
  {
    'the current bookmark has the original\u2019s form': async ({ storage }) =>
      BOOKMARK.test(await storage.getCurrentBookmark()),
    'later bookmarks sort after earlier ones': async ({ storage }) => {
      const bookmarks = [];
      for (let i = 0; i < 3; i++) {
        await storage.put('n', i);
        await storage.sync();
        bookmarks.push(await storage.getCurrentBookmark());
      }
      return bookmarks[0] < bookmarks[1] && bookmarks[1] < bookmarks[2];
    },
    'a bookmark for a time': async ({ storage, how }) => {
      await storage.put('n', 1);
      await storage.sync();
      const end = await how(() => storage.getBookmarkForTime(Date.now()));
      return end.resolved === undefined ? end : BOOKMARK.test(end.resolved);
    },
    'restoring gives the old state back': {
      steps: {
        async write({ storage }, value) {
          await storage.put('n', value);
          await storage.sync();
          return storage.getCurrentBookmark();
        },
        async restore({ storage, ctx }, bookmark) {
          await storage.onNextSessionRestoreBookmark(bookmark);
          await storage.sync();
          ctx.abort('restore');
        },
        read: ({ storage }) => storage.get('n'),
      },
      async run(world) {
        const bookmark = await world.ask('write', 'old');
        await world.ask('write', 'new');
        const end = await world.message(() => world.ask('restore', bookmark));
        return [end, await world.ask('read')];
      },
    },
  },
);

area(
  'history without SQL',
  { on: ['kv'] },
  {
    'the current bookmark': ({ storage, how }) => how(() => storage.getCurrentBookmark()),
    'a bookmark for a time': ({ storage, how }) => how(() => storage.getBookmarkForTime(Date.now())),
    restoring: ({ storage, how }) => how(() => storage.onNextSessionRestoreBookmark('x')),
  },
);
