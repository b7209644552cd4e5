/**
 * A name server with one zone that takes updates of text records over TCP if they are signed with its key (RFC 2136 and
 * RFC 8945), and answers over UDP where its zone begins. Written beside the client, from the documents: neither is used
 * by the other.
 */
import { createHmac } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { createServer, type Server, type AddressInfo } from 'node:net';

const [cname, soa, txt] = [5, 6, 16];

export interface TestZone {
  readonly zone: string;
  readonly key: { readonly name: string; readonly secret: Buffer };
  readonly aliases?: Readonly<Record<string, string>>;
}

export class TestNameServer implements AsyncDisposable {
  readonly records = new Map<string, string[]>();
  /** Every change, in order of arrival. */
  readonly changes: string[] = [];
  /** Why it refuses updates. */
  fault: 'unsigned answer' | 'other answer' | 'closes' | undefined;
  readonly #zone: TestZone;
  readonly #server: Server;
  readonly #questions: Socket;

  private constructor(zone: TestZone) {
    this.#zone = zone;
    this.#server = createServer((socket) => {
      let received = Buffer.alloc(0);
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
        if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
        if (this.fault === 'closes') return void socket.destroy();
        const answer = this.#update(received.subarray(2, 2 + received.readUInt16BE(0)));
        socket.end(Buffer.concat([u16(answer.length), answer]));
      });
      socket.on('error', () => {});
    });
    this.#questions = createSocket('udp4', (message, from) =>
      this.#questions.send(this.#answer(message), from.port, from.address),
    );
  }

  /** Both on the same port. */
  static async listen(zone: TestZone): Promise<TestNameServer> {
    const server = new TestNameServer(zone);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => server.#questions.bind(server.port, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#questions.close();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(message: Buffer): Buffer {
    const { name, end } = readName(message, 12);
    const type = message.readUInt16BE(end);
    const question = message.subarray(12, end + 4);
    const alias = this.#zone.aliases?.[name];
    const numbers = Buffer.alloc(20);
    let content: Buffer | undefined;
    if (type === cname && alias !== undefined) content = writeName(alias);
    if (type === soa && name === this.#zone.zone) {
      content = Buffer.concat([writeName(name), writeName(name), numbers]);
    }
    const head = Buffer.concat([
      message.subarray(0, 2),
      u16(0x8400 | (content ? 0 : 3), 1, content ? 1 : 0, 0, 0),
    ]);
    if (content === undefined) return Buffer.concat([head, question]);
    return Buffer.concat([head, question, u16(0xc00c, type, 1, 0, 60, content.length), content]);
  }

  #update(message: Buffer): Buffer {
    const zone = readName(message, 12);
    const updated = readName(message, zone.end + 4);
    const [isAdded, length] = [
      message.readUInt16BE(updated.end + 2) === 1,
      message.readUInt16BE(updated.end + 8),
    ];
    const value = message.toString('latin1', updated.end + 11, updated.end + 10 + length);
    const signedEnd = updated.end + 10 + length;
    const key = readName(message, signedEnd);
    const algorithm = readName(message, key.end + 10);
    const timers = message.subarray(algorithm.end, algorithm.end + 8);
    const mac = message.subarray(
      algorithm.end + 10,
      algorithm.end + 10 + message.readUInt16BE(algorithm.end + 8),
    );
    const unsigned = Buffer.from(message.subarray(0, signedEnd));
    unsigned.writeUInt16BE(0, 10);
    const isKnown = key.name === this.#zone.key.name && algorithm.name === 'hmac-sha256';
    const isGood = isKnown && this.#sign([unsigned], timers).equals(mac) && message.readUInt16BE(10) === 1;
    const code = !isGood
      ? 9
      : zone.name !== this.#zone.zone || message.readUInt16BE(zone.end) !== soa
        ? 10
        : 0;
    if (code === 0 && message.readUInt16BE(updated.end) === txt) this.#change(updated.name, value, isAdded);
    const id = this.fault === 'other answer' ? u16(message.readUInt16BE(0) ^ 1) : message.subarray(0, 2);
    const answer = Buffer.concat([id, u16(0xa800 | code, 0, 0, 0, 0)]);
    if (code !== 0 || this.fault === 'unsigned answer') return answer;
    return this.#attach(answer, mac, timers);
  }

  #change(name: string, value: string, isAdded: boolean): void {
    this.changes.push(`${isAdded ? 'add' : 'remove'} ${name}`);
    const others = (this.records.get(name) ?? []).filter((each) => each !== value);
    this.records.set(name, isAdded ? [...others, value] : others);
  }

  #attach(answer: Buffer, requestMac: Buffer, timers: Buffer): Buffer {
    const mac = this.#sign([u16(requestMac.length), requestMac, answer], timers);
    const id = answer.subarray(0, 2);
    const content = Buffer.concat([writeName('hmac-sha256'), timers, u16(mac.length), mac, id, u16(0, 0)]);
    const head = Buffer.concat([writeName(this.#zone.key.name), u16(250, 255, 0, 0, content.length)]);
    const whole = Buffer.concat([answer, head, content]);
    whole.writeUInt16BE(1, 10);
    return whole;
  }

  #sign(signed: readonly Buffer[], timers: Buffer): Buffer {
    const { name, secret } = this.#zone.key;
    const variables = [writeName(name), u16(255, 0, 0), writeName('hmac-sha256'), timers, u16(0, 0)];
    return createHmac('sha256', secret)
      .update(Buffer.concat([...signed, ...variables]))
      .digest();
  }
}

function readName(bytes: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = start;
  for (; bytes[at] !== 0; at += bytes[at]! + 1)
    labels.push(bytes.toString('latin1', at + 1, at + 1 + bytes[at]!));
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function writeName(name: string): Buffer {
  return Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.of(0),
  ]);
}

function u16(...values: readonly number[]): Buffer {
  return Buffer.from(values.flatMap((value) => [value >> 8, value & 255]));
}
