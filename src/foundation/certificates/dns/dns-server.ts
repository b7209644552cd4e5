/** A name server that accepts signed updates of its records (RFC 2136), such as BIND, Knot or PowerDNS. */
import { randomInt } from 'node:crypto';
import { lookup, Resolver } from 'node:dns/promises';
import { connect } from 'node:net';
import { realClock } from '#base';
import { AcmeError } from '../acme/acme-error.ts';
import { encodeUpdate, numbers16, readAnswer } from './dns-message.ts';
import type { RecordChange } from './record-change.ts';
import { changeMsMax } from './limits.ts';
import { isSignedAnswer, signMessage, type TransactionKey } from './transaction-key.ts';

/** RFC 2136, section 2.2, and RFC 8945, section 3. */
const refusals = new Map([
  [1, 'the update is malformed'],
  [2, 'the server failed'],
  [4, 'the server accepts no updates'],
  [5, 'the update is not permitted'],
  [9, 'the key is unknown, its secret differs, or the clocks are too far apart'],
  [10, 'the server has no zone for the name'],
]);

interface ServerPlace {
  readonly host: string;
  readonly port: number;
}

export class DnsServer {
  readonly #place: ServerPlace;
  readonly #key: TransactionKey;

  constructor(place: ServerPlace, key: TransactionKey) {
    this.#place = place;
    this.#key = key;
  }

  async change({ kind, name, value }: RecordChange): Promise<void> {
    const target = await this.#findTarget(name);
    const id = randomInt(0x10000);
    const update = { ...target, value, kind: kind === 'present' ? 'add' : 'remove' } as const;
    const request = signMessage(encodeUpdate(id, update), this.#key, realClock.now());
    const answer = await this.#exchange(request.bytes);
    const read = readAnswer(answer);
    if (read === undefined || read.id !== id) throw this.#failure(name, 'its answer cannot be read');
    const { responseCode } = read;
    if (responseCode !== 0) {
      throw this.#failure(name, refusals.get(responseCode) ?? `it answered with code ${responseCode}`);
    }
    if (!isSignedAnswer(answer, this.#key, request)) throw this.#failure(name, 'its answer is not signed');
  }

  /** The zone of the name. An alias stands for the name it points to, if that is also on this server. */
  async #findTarget(name: string): Promise<{ readonly zone: string; readonly name: string }> {
    const resolver = await this.#openResolver(name);
    const [alias] = await resolver.resolveCname(name).catch(() => []);
    const target = alias ?? name.replace(/\.$/, '');
    const labels = target.split('.');
    for (let first = 0; first < labels.length; first++) {
      const zone = labels.slice(first).join('.');
      try {
        await resolver.resolveSoa(zone);
        return { zone, name: target };
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        // These codes mean that there is a server, and that it has no zone of this name.
        if (!['ENOTFOUND', 'ENODATA', 'EREFUSED'].includes(code!)) throw this.#failure(name, message);
      }
    }
    throw this.#failure(name, 'it has no zone for this name');
  }

  async #openResolver(name: string): Promise<Resolver> {
    const { host, port } = this.#place;
    const resolver = new Resolver({ timeout: 5_000, tries: 2 });
    try {
      const { address, family } = await lookup(host);
      resolver.setServers([family === 6 ? `[${address}]:${port}` : `${address}:${port}`]);
    } catch (error) {
      throw this.#failure(name, (error as Error).message);
    }
    return resolver;
  }

  /** Over TCP, where the length precedes a message. */
  #exchange(message: Buffer): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const { host, port } = this.#place;
    const socket = connect({ host, port, timeout: changeMsMax });
    socket.on('timeout', () => socket.destroy(new Error('it does not answer')));
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const length = received.length < 2 ? Infinity : 2 + received.readUInt16BE(0);
      if (received.length < length) return;
      resolve(received.subarray(2, length));
      socket.destroy();
    });
    socket.on('error', (error) => reject(this.#failure('', error.message)));
    socket.on('close', () => reject(this.#failure('', 'it closed the connection')));
    socket.write(Buffer.concat([numbers16(message.length), message]));
    return promise;
  }

  #failure(name: string, reason: string): AcmeError {
    const { host, port } = this.#place;
    const what = name === '' ? 'the records' : `the records of ${name}`;
    return new AcmeError('dns', `the name server ${host}:${port} could not change ${what}: ${reason}`);
  }
}
