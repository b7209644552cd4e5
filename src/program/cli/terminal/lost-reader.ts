/**
 * Handles the end of the program that reads our output, such as `head` after its lines. Node ignores SIGPIPE and
 * reports a failed write instead, so that every command would end with a stack trace. Other Unix programs end silently,
 * and so do these: a command at once, `dev` gracefully, as after SIGTERM. Programs that serve visitors continue,
 * because a firewall must not end with its log collector.
 */
import { exitCodes } from '../command.ts';
import { lostReaderSignal } from './signals.ts';

/**
 * For a command that runs to its end. Other failures, such as a full disk, are reported where that is still possible.
 */
export function endWithReader(): void {
  for (const [stream, other] of [
    [process.stdout, process.stderr],
    [process.stderr, process.stdout],
  ] as const) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(exitCodes.unread);
      other.write(`gatehouse: could not write the output: ${error.message}\n`);
      process.exit(exitCodes.failure);
    });
  }
}

/** For a program that serves visitors: log lines that cannot be written are lost. */
export function outliveReader(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

/** For `dev`: `waitForSignal` waits for the signal. */
export function signalLostReader(): void {
  signal(() => process.pid);
}

/** For a process with the same output as its parent: the parent decides for both. */
export function passLostReader(): void {
  const parent = process.ppid;
  // An orphaned process has another parent.
  signal(() => (process.ppid === parent ? parent : undefined));
}

function signal(findProcess: () => number | undefined): void {
  const take = ({ code }: NodeJS.ErrnoException): void => {
    const pid = findProcess();
    if (code === 'EPIPE' && pid !== undefined) process.kill(pid, lostReaderSignal);
  };
  process.stdout.on('error', take);
  process.stderr.on('error', take);
}
