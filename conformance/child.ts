import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Sends the signal and waits for the end; a child that already ended is fine. */
export async function stopped(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

const TEXT_LENGTH_MAX = 2000;

/** Reads a stream to its end, and keeps only its last part: probes make servers log each of their errors. */
export function lastText(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-TEXT_LENGTH_MAX);
  });
  return () => text;
}
