import { connect } from 'node:net';

/** A server that still waits for more of the request by then is not waited for. */
const answerMsMax = 3_000;

/** The status of the answer; undefined if there is none. */
export function sendBytes(port: number, request: string): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  let received = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(request, 'latin1')));
  const finish = (): void => {
    const found = /^HTTP\/1\.[01] (\d{3})/.exec(received);
    resolve(found === null ? undefined : Number(found[1]));
    socket.destroy();
  };
  socket.setTimeout(answerMsMax, finish);
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    if (received.includes('\r\n\r\n')) finish();
  });
  socket.on('error', finish);
  socket.on('close', finish);
  return promise;
}
