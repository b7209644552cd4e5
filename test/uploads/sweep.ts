/** Sends uploads of every kind and several lengths through a protected site, and reports their outcomes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EdgeAddress, EdgeReport } from './edge-process.ts';
import type { UploadKind } from './kinds.ts';

export interface UploadResult {
  readonly status: number;
  readonly sentBytes: number;
  /** The data that the application received. */
  readonly gotBytes: number;
  readonly cpuMs: number;
  readonly rssMax: number;
}

export class UploadSweep implements AsyncDisposable {
  readonly #origin: Server;
  readonly #edge: ChildProcess;
  readonly #address: EdgeAddress;

  private constructor(origin: Server, edge: ChildProcess, address: EdgeAddress) {
    this.#origin = origin;
    this.#edge = edge;
    this.#address = address;
  }

  static async open(inspectionBytesMax: number): Promise<UploadSweep> {
    const origin = createServer((incoming, response) => {
      let got = 0;
      incoming.on('data', (piece: Buffer) => (got += piece.length));
      incoming.on('end', () => response.end(String(got)));
    });
    await once(origin.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
    const edge = fork(new URL('edge-process.ts', import.meta.url), [url, String(inspectionBytesMax)]);
    const [address] = (await once(edge, 'message')) as [EdgeAddress];
    return new UploadSweep(origin, edge, address);
  }

  /** With a length, or in chunks. */
  async upload(
    kind: UploadKind,
    size: number,
    framing: 'length' | 'chunks' = 'length',
  ): Promise<UploadResult> {
    const before = await this.report();
    const sentBytes = kind.listPieces(size).reduce((sum, { length }) => sum + length, 0);
    const length = framing === 'length' ? { 'content-length': sentBytes } : {};
    const { port, host } = this.#address;
    const outgoing = request({
      port,
      host: '127.0.0.1',
      agent: false,
      path: '/files',
      method: 'PUT',
      headers: { host, 'user-agent': 'uploads/1.0', ...kind.headers, ...length },
    });
    // A client that is refused may be cut off while it sends.
    outgoing.on('error', () => {});
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    let isAnswered = false;
    void answered.then(() => (isAnswered = true));
    for (const piece of kind.listPieces(size)) {
      if (isAnswered) break;
      if (!outgoing.write(piece)) await Promise.race([once(outgoing, 'drain'), answered]);
    }
    outgoing.end();
    const [incoming] = await answered;
    const answer = (await incoming.setEncoding('latin1').toArray()).join('');
    outgoing.destroy();
    const after = await this.report();
    return {
      status: incoming.statusCode!,
      sentBytes,
      gotBytes: incoming.statusCode === 200 ? Number(answer) : 0,
      cpuMs: after.cpuMs - before.cpuMs,
      rssMax: after.rssMax,
    };
  }

  async report(): Promise<EdgeReport> {
    this.#edge.send({});
    const [report] = (await once(this.#edge, 'message')) as [EdgeReport];
    return report;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#edge, 'exit');
    this.#edge.disconnect();
    await ended;
    this.#origin.closeAllConnections();
    this.#origin.close();
  }
}
