/** Clients from npm, over Node's own modules. */
import { S3Client, ListBucketsCommand } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import axios from 'axios/dist/node/axios.cjs';
import got from 'got';
import * as undici from 'undici';
import { urlOf } from './built-in-clients.js';

const drain = async ({ body }) => void (await body.arrayBuffer());

export const clients = {
  axios: (place) => axios.get(urlOf(place), { adapter: 'http', proxy: false }),
  'axios, fetch': (place) => axios.get(urlOf(place), { adapter: 'fetch' }),
  got: (place) => got(urlOf(place), { retry: { limit: 0 } }),
  'got, HTTP/2': (place) => got(urlOf(place), { retry: { limit: 0 }, http2: true }),
  'undici, request': async (place) => drain(await undici.request(urlOf(place))),
  'undici, fetch': async (place) => void (await (await undici.fetch(urlOf(place))).text()),
  'undici, Client': async (place) => {
    const client = new undici.Client(urlOf(place, 'http').replace(/\/$/, ''));
    await drain(await client.request({ path: '/', method: 'GET' })).finally?.(() => client.destroy());
  },
  'undici, Agent in fetch': async (place) =>
    void (await (await fetch(urlOf(place), { dispatcher: new undici.Agent() })).text()),
  'AWS SDK, S3': async (place) => {
    const client = new S3Client({
      region: 'eu-west-1',
      endpoint: urlOf(place),
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
      requestHandler: new NodeHttpHandler(),
    });
    await client.send(new ListBucketsCommand({}));
  },
};

export const socketClients = {
  'axios, socketPath': (path) =>
    axios.get('http://a/', { adapter: 'http', socketPath: path, proxy: false, allowedSocketPaths: [path] }),
  'got, unix:': (path) => got(`http://unix:${path}:/`, { enableUnixSockets: true, retry: { limit: 0 } }),
  'undici, socketPath': async (path) => {
    const client = new undici.Client('http://a', { socketPath: path });
    await drain(await client.request({ path: '/', method: 'GET' }));
  },
};
