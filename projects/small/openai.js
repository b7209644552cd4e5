import OpenAI from 'openai';

const pieces = ['Hel', 'lo'].map(
  (content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`,
);
const answer = () =>
  new Response(`${pieces.join('')}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });

export default {
  async fetch() {
    const client = new OpenAI({ apiKey: 'key', fetch: async () => answer() });
    const stream = await client.chat.completions.create({ model: 'm', messages: [], stream: true });
    let text = '';
    for await (const piece of stream) text += piece.choices[0].delta.content;
    return new Response(text);
  },
};
