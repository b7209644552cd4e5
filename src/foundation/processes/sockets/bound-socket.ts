/**
 * A socket that is bound before any process accepts from it: worker processes do, all from the same queue of the
 * kernel, or a server of this process. So a connection that no worker has accepted waits for the next one, even while a
 * worker is replaced or has died, and below a watchdog while the whole program is (`kept-sockets.ts`).
 *
 * Node has no documented way to bind without accepting; this uses what its module `cluster` uses.
 */
import { lookup } from 'node:dns/promises';
import net, { type AddressInfo, isIP } from 'node:net';
import { getSystemErrorName } from 'node:util';
import { keptSockets } from './kept-sockets.ts';

interface Handle {
  getsockname(found: Partial<AddressInfo>): number;
  close(): void;
}

type CreateHandle = (address: string, port: number, addressType: number) => Handle | number;

const createHandle = Reflect.get(net, '_createServerHandle') as CreateHandle;

/** Represents the address of a Unix domain socket. */
const noAddress: AddressInfo = { address: '', family: '', port: 0 };

export class BoundSocket {
  readonly address: AddressInfo;
  /** The path of a Unix domain socket. */
  readonly path: string | undefined;
  readonly #handle: Handle;
  #isOpen = true;

  private constructor(handle: Handle, address: AddressInfo, path?: string) {
    this.#handle = handle;
    this.address = address;
    this.path = path;
  }

  /** A Unix domain socket, which is removed when it is closed. */
  static bindPath(path: string): BoundSocket {
    // These numbers mean: not TCP.
    const handle = createHandle(path, -1, -1);
    if (typeof handle === 'number') throw createError(handle);
    return new BoundSocket(handle, noAddress, path);
  }

  /** Rejects with the error of the system, as `listen` does. */
  static async bind({ host, port }: { readonly host: string; readonly port: number }): Promise<BoundSocket> {
    const address = isIP(host) === 0 ? (await lookup(host)).address : host;
    const inherited = keptSockets.take(nameSocket(address, port)) as Handle | undefined;
    const handle = inherited ?? createHandle(address, port, isIP(address));
    if (typeof handle === 'number') throw createError(handle);
    const found: Partial<AddressInfo> = {};
    // An address in use is detected here: libuv keeps the error of the previous call.
    const problem = handle.getsockname(found);
    if (problem === 0) {
      if (inherited === undefined) await keptSockets.hold(nameSocket(address, found.port!), handle);
      return new BoundSocket(handle, found as AddressInfo);
    }
    handle.close();
    throw createError(problem);
  }

  /** Records that processes which outlive this one accept from it. */
  outlive(): void {
    keptSockets.outlive(nameSocket(this.address.address, this.address.port));
  }

  /** The handle for accepting processes. */
  get handle(): object {
    return this.#handle;
  }

  close(): void {
    if (this.#isOpen) this.#handle.close();
    this.#isOpen = false;
  }
}

function nameSocket(address: string, port: number): string {
  return `${address} ${port}`;
}

function createError(code: number): NodeJS.ErrnoException {
  const name = getSystemErrorName(code);
  return Object.assign(new Error(`bind ${name}`), { code: name, syscall: 'bind' });
}
