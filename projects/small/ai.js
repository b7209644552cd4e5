import { generateText, streamText } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const finish = { type: 'finish', finishReason: { unified: 'stop' }, usage };
const model = new MockLanguageModelV3({
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'generated' }],
    finishReason: { unified: 'stop' },
    usage,
    warnings: [],
  }),
  doStream: async () => ({
    stream: simulateReadableStream({
      chunks: [
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'streamed' },
        { type: 'text-end', id: '1' },
        finish,
      ],
    }),
  }),
});

export default {
  async fetch(request) {
    if (new URL(request.url).pathname === '/stream')
      return streamText({ model, prompt: 'x' }).toTextStreamResponse();
    const { text } = await generateText({ model, prompt: 'x' });
    return new Response(text);
  },
};
