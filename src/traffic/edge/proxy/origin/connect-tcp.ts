/**
 * Connects a socket that reads into memory which all of them share, and tells what was read by the same events as others.
 * Without this, each read costs an allocation of its own, many times as large as an ordinary answer, and the work of a
 * stream that keeps bytes until somebody wants them.
 *
 * There is always somebody: bytes that come before there is a listener are ones that nobody asked for, and end the
 * connection.
 */
import { connect, type Socket, type TcpNetConnectOpts, type IpcNetConnectOpts } from 'node:net';

/** What a socket of Node reads at once. */
const readBytesMax = 64 * 1024;

/** Nothing stays in it: what was read is copied before the next read of any socket. */
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
