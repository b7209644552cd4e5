export default {
  async fetch(request, env) {
    const outside = await fetch('https://elsewhere.example/news');
    return new Response(`${env.WORD}, ${await request.text()}, ${await outside.text()}`);
  },
};
