/** The listener of the API in tests, and clients that write bytes to it. */
import { fail } from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { type ApiResponse, type ApiRequest, fault, genericCodes } from '#contract';
import { toApiResponse, type ApiServer, type ApiServerOptions, serveApi } from './api-server.ts';

type Options = Partial<ApiServerOptions>;

export const bytesMax = 1_000;
export const timeouts = { headersMs: 10_000, requestMs: 10_000, checkMs: 20, lingerMs: 100 };

/** Answers with the received request. */
export async function echo(request: ApiRequest): Promise<ApiResponse> {
  const { method, target, headers, address } = request;
  const body = method === 'POST' ? await request.readBody(bytesMax) : new Uint8Array();
  if (body === 'too-large')
    return toApiResponse(fault(genericCodes.bodyTooLarge, { fill: { bytes: bytesMax } }));
  const said = { method, target, authorization: headers['authorization'], address, body: String(body) };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(said) };
}

export async function serve(t: TestContext, options: Options = {}): Promise<ApiServer> {
  const server = await serveApi({
    answer: echo,
    host: '127.0.0.1',
    port: 0,
    timeouts,
    onError: (error) => fail(error as Error),
    ...options,
  });
  t.after(() => server.close({ graceMs: 0 }));
  return server;
}

export async function open(t: TestContext, server: ApiServer): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Sends raw bytes and reads until the server closes. */
export async function exchange(t: TestContext, server: ApiServer, text: string): Promise<string> {
  const socket = await open(t, server);
  socket.write(Buffer.from(text, 'latin1'));
  return read(socket);
}

export async function read(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Not `once`, which rejects at an error: only the response matters, however the connection ends.
  await new Promise((resolve) => void socket.on('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

/** The end of a head. */
export const last = 'Connection: close\r\n\r\n';
