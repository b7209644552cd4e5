import { AwsClient } from 'aws4fetch';

const client = new AwsClient({ accessKeyId: 'A', secretAccessKey: 'B', service: 's3', region: 'auto' });

export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const signed = await client.sign(`https://bucket.example${pathname}`, {
      method: 'PUT',
      body: 'content',
      aws: { datetime: '20260101T000000Z' },
    });
    return Response.json(Object.fromEntries(signed.headers));
  },
};
