import { marked } from 'marked';

export default {
  fetch: async (request) => new Response(marked.parse((await request.text()) || '# *empty*')),
};
