import { createStorage, prefixStorage } from 'unstorage';

const storage = createStorage();

export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const users = prefixStorage(storage, 'users');
    await users.setItem(pathname.slice(1) || 'a', { at: pathname });
    return Response.json({ keys: (await storage.getKeys()).toSorted(), item: await users.getItem('a') });
  },
};
