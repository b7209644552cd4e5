import markdownIt from 'markdown-it';

const md = markdownIt({ linkify: true, typographer: true });

export default {
  fetch: async (request) =>
    new Response(md.render((await request.text()) || 'see https://example.com "now"')),
};
