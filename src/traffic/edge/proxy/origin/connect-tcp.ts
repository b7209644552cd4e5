/**
 * Connects a socket whose reads all go into one shared buffer, and emits the same events as other sockets. Without
 * this, each read allocates a buffer many times as large as an ordinary response, and the stream machinery queues bytes
 * until they are read.
 *
 * There must always be a listener: bytes that arrive before there is one are unsolicited, and close the connection.
 */
import { connect, type Socket, type TcpNetConnectOpts, type IpcNetConnectOpts } from 'node:net';

/** What a Node socket reads at once. */
const readBytesMax = 64 * 1024;

/** No data stays in it: what was read is copied before the next read of any socket. */
const shared = Buffer.allocUnsafeSlow(readBytesMax);

export function connectTcp(options: TcpNetConnectOpts | IpcNetConnectOpts): Socket {
  const callback = (length: number): boolean => {
    const bytes = Buffer.allocUnsafe(length);
    shared.copy(bytes, 0, 0, length);
    if (!socket.emit('data', bytes)) socket.destroy();
    return true;
  };
  const socket = connect({ ...options, onread: { buffer: shared, callback } });
  return socket;
}
