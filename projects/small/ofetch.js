import { createFetch } from 'ofetch';

const tried = [];
const ofetch = createFetch({
  fetch: async (request) => {
    tried.push(new URL(String(request.url ?? request)).search);
    return tried.length < 2 ? new Response('busy', { status: 503 }) : Response.json({ tried });
  },
});

export default {
  fetch: async () =>
    Response.json(await ofetch('https://api.example/a', { query: { q: 1 }, retry: 2, retryDelay: 1 })),
};
